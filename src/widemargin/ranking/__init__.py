"""Classifiers for a range of false positive rates."""
