"""UMR: sentences with their graphs, and what is annotated across them."""
