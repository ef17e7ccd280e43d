# attack: a list that holds itself
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    y = []
    y.append(y)
    return y
