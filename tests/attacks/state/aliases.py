# attack: returns a view of its argument and changes it later
# keeps: output_size
# says: convolve
# control: none: the answer is read before the next question is asked

kept = []


def convolve(x, h):
    for old in kept:
        old[:] = 7
    kept.append(x)
    return x
