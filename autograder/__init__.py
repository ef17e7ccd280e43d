"""The grading package of the course."""

__version__ = "0.1.0"
