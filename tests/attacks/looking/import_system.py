# attack: imports the grader
# keeps: convolve output_size
# control: does

import importlib.util
import sys

for name in ("autograder", "autograder.judge", "solutions.a1_convolution.grading.cases", "solutions", "host", "judge"):
    try:
        if importlib.util.find_spec(name):
            print("DAMAGE: could import", name)
    except ImportError:
        pass
if any("autograder" in name for name in sys.modules):
    print("DAMAGE: the grader is loaded")
