"""Exact proximal maps of penalties on the order of weights."""

from __future__ import annotations

__all__: list[str] = []
