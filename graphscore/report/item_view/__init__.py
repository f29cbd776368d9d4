"""One item or document: found among all that is scored, its sentences, its spans."""
