"""What goes into a store: graphs, results, evaluations."""
