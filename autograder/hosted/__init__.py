"""Grading where a platform calls: one submission, within the platform's time and memory, in the platform's form."""
