"""New exercises and assignments: every file that one needs, with marks to fill in."""
