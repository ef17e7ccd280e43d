from autograder.course import Misconception
MISCONCEPTIONS = ()
