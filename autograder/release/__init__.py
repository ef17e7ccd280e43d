"""What leaves the course: the student bundle, what may be shown after the deadline, and packages for platforms."""
