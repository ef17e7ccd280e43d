"""Assignment 3, LeNet-5: the instructor's half."""
