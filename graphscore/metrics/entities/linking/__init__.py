"""Entity linking: mentions, what they are linked to, and which are of one thing."""
