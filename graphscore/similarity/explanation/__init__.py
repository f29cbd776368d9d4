"""Explanation of a formula on a pair: numbers, alignments, errors in words."""
