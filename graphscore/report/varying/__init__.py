"""Tables and rows of what the choices of a formula change."""
