"""Ways through a graph: from an element to another one, or to many."""
