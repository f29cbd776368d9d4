"""One evaluation: pairing, comparing, summing; from files, stores or memory."""
