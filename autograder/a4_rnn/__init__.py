"""Assignment 4, recurrent networks and backpropagation through time: the instructor's half."""
