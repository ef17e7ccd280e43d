"""Totals over the assignments of a term, by the rules of ``course.toml``."""
