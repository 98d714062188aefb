"""Measures nearly-isotonic SVMs and their proximal map against peers; run by ``benchmarks/nearly_isotonic.py``."""
