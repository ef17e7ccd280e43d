# attack: a profiler that sees the grader's own calls
# keeps: convolve output_size
# control: does

import sys


def look(frame, event, argument):
    names = set(frame.f_locals) | set(frame.f_globals)
    if names & {"EXPECTED", "expected", "want", "reference"}:
        sys.setprofile(None)
        print("DAMAGE: a frame that holds expected values")


sys.setprofile(look)
