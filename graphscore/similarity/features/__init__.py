"""Features of elements: columns of comparable values."""
