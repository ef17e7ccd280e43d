# attack: an exception whose message is computed for ever, when the grader asks for it
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

class Slow(Exception):
    def __str__(self):
        while True:
            pass


def convolve(x, h):
    raise Slow
