"""Histogram trees: binning, growing, predicting."""

from widemargin.trees.binning import BinMapper
from widemargin.trees.ensemble import Tree, TreeEnsemble
from widemargin.trees.growing import CRITERIA, TreeGrower

__all__ = ["CRITERIA", "BinMapper", "Tree", "TreeEnsemble", "TreeGrower"]
