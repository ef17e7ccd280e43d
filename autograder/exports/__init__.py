"""Grades and feedback back to a platform, in a copy of what the platform itself exported."""
