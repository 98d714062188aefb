"""Measures how videos are cut into shots and indexed; run by ``benchmarks/events.py``."""
