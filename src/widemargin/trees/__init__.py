"""Histogram trees: binning, growing, predicting."""
