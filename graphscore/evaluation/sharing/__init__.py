"""Evaluations of which workers read, pair and compare a share each."""
