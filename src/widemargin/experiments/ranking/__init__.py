"""Experiments on learning for a range of false positive rates, each one file, and what they share."""
