"""From a results folder to one page: nothing is computed here, and nothing outside the folder is read."""

from widemargin.report.load import LoadedExperiment, Results, load_results
from widemargin.report.page import format_seconds, write_report

__all__ = ["LoadedExperiment", "Results", "format_seconds", "load_results", "write_report"]
