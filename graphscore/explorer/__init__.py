"""A store in the browser: pages that are read, and nothing that writes."""
