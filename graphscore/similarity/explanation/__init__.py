"""What a formula says of a pair: numbers, alignments, errors in words."""
