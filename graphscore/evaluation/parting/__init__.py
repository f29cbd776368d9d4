"""Parts of an evaluation, which workers of a cluster score, and their sums."""
