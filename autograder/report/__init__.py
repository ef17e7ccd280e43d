"""What instructors and students see of the results: a terminal table, a spreadsheet, and two kinds of page."""

from __future__ import annotations

from autograder.report.attention import Notice, needs_attention
from autograder.report.audit import audit_html, audit_text
from autograder.report.changes import changes, changes_text
from autograder.report.collected import collected_text
from autograder.report.html import class_html, feedback_html
from autograder.report.table import grades_csv
from autograder.report.terminal import class_table

__all__ = [
    "Notice",
    "audit_html",
    "audit_text",
    "changes",
    "changes_text",
    "class_html",
    "class_table",
    "collected_text",
    "feedback_html",
    "grades_csv",
    "needs_attention",
]
