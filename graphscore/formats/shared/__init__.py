"""What several formats are written with: columns, tokens, JSON lines, XML."""
