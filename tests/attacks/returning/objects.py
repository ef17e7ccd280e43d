# attack: the right numbers, as objects that answer for themselves
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: values that are right, in a form that nobody can check

honest = convolve


def convolve(x, h):
    return honest(x, h).astype(object)
