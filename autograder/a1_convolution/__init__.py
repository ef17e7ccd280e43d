"""Assignment 1, convolution and kernels: the instructor's half."""
