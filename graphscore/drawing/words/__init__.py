"""What stands over and under the words of a sentence: arcs, tags, roles."""
