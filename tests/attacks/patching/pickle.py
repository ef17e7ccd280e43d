# attack: an answer that executes code where it is unpickled
# keeps: output_size
# says: returns something that is neither
# control: split does

class Answer:
    def __reduce__(self):
        return print, ("DAMAGE: code in the grader",)


def convolve(x, h):
    return Answer()
