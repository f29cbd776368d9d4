"""What results say in rows: scores, items, errors, confusions, and self scores."""
