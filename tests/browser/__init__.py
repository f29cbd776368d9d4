"""Pages in a real browser, as a person opens them."""
