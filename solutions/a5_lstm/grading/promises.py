"""What the docstrings promise, and what asks for it."""

PROMISES = ()
