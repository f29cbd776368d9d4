"""Pictures of graphs: laid out and written as SVG, the same bytes every time."""
