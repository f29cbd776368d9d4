"""What a formula could have been: other constraints, ratios and trims."""
