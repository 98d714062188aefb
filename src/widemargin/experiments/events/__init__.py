"""Experiments on videos as bags of shots."""
