"""Pictures of graphs, and of pairs with what matched, as SVG.

Pure functions: the same graph gives the same bytes, under every system and font.
"""
