"""Measures the solvers of privileged information against their peers; run by ``benchmarks/privileged.py``."""
