"""What can be said of an element: a column of comparable values."""
