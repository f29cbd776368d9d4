"""Reading from a store: graphs, outcomes, answers."""
