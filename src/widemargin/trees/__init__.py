"""Histogram trees: binning, growing, predicting."""

from widemargin.trees.binning import BinMapper
from widemargin.trees.ensemble import Tree, TreeEnsemble
from widemargin.trees.growing import TreeGrower

__all__ = ["BinMapper", "Tree", "TreeEnsemble", "TreeGrower"]
