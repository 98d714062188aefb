"""Measures the learners of a range of false positive rates against their peers; run by ``benchmarks/ranking.py``."""
