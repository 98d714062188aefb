"""Pages that need no other file: of a results folder, of ranked videos, and for blind comparison."""

from widemargin.report.blind_sheet import BlindPair, render_blind_sheet
from widemargin.report.event_page import render_event_page, write_event_page
from widemargin.report.event_records import EventPage, Evidence, Hit
from widemargin.report.load import LoadedExperiment, Results, load_results
from widemargin.report.page import PAGE_FILE, format_seconds, has_foreign_page, write_report

__all__ = [
    "PAGE_FILE",
    "BlindPair",
    "EventPage",
    "Evidence",
    "Hit",
    "LoadedExperiment",
    "Results",
    "format_seconds",
    "has_foreign_page",
    "load_results",
    "render_blind_sheet",
    "render_event_page",
    "write_event_page",
    "write_report",
]
