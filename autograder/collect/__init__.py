"""Finds the students in whatever a teacher has downloaded; ``autograder.submission`` then reads the files of each."""
