"""Rules that classify spans, and the slow classifier they are compared with."""
