"""From one store into another: collections, and evaluations with their results."""
