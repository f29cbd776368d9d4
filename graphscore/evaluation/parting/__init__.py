"""Parts of an evaluation: scored apart, on as many machines, and merged."""
