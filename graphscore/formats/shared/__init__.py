"""Tools that several formats share: columns, tokens, JSON lines, XML."""
