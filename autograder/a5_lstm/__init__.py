"""Assignment 5, LSTM, GRU and two directions: the instructor's half."""
