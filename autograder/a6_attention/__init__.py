"""Assignment 6, self-attention as retrieval: the instructor's half."""
