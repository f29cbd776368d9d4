"""Tables, pages and pictures of results; nothing here computes a score."""
