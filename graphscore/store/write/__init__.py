"""Writing to a store: graphs, results, evaluations."""
