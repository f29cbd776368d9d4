"""What is said of stores, as tables."""
