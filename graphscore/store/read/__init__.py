"""What comes out of a store: graphs, outcomes, answers."""
