from autograder.course import Misconception
ALTERNATIVES = ()
