"""One module a page: what it asks of the store, and what stands on it."""
