"""Entities: as tags of tokens, as trees, as entries of authority files."""
