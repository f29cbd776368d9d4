"""The best matchings: assignments, orders, integer programs."""
