"""The uniform graph: what every output becomes, and its tuples."""
