# attack: a pickle in the place of an answer, which executes code where it is loaded
# keeps: output_size
# says: disturbs the connection
# control: split does

import pickle


class Code:
    def __reduce__(self):
        return print, ("DAMAGE: code in the grader",)


def convolve(x, h):
    say(frame(pickle.dumps(Code())))
    return np.zeros(1)
