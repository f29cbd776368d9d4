"""What results say in rows: scores, items, errors and confusions."""
