"""Several references for the same items, and several runs of one system."""
