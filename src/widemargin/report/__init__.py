"""From a results folder to one page: nothing is computed here, and nothing outside the folder is read."""

from widemargin.report.load import LoadedExperiment, Results, load_results
from widemargin.report.page import write_report

__all__ = ["LoadedExperiment", "Results", "load_results", "write_report"]
