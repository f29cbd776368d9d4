"""One item explained: what was paired, with which value, and how that is the score."""
