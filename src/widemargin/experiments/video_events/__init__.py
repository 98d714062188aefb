"""Experiments on video files, from the decoder to the evidence."""
