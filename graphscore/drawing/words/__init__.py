"""Pictures of sentences: arcs, tags and roles above and below the words."""
