"""From a results folder to one page: nothing is computed here, and nothing outside the folder is read."""

from widemargin.report.load import LoadedExperiment, Results, load_results
from widemargin.report.page import PAGE_FILE, format_seconds, has_foreign_page, write_report

__all__ = [
    "PAGE_FILE",
    "LoadedExperiment",
    "Results",
    "format_seconds",
    "has_foreign_page",
    "load_results",
    "write_report",
]
