"""Assignment 2, activations and normalization: the instructor's half."""
