# attack: a list a million deep
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: a checker only fails on it

def convolve(x, h):
    y = []
    for _ in range(10**6):
        y = [y]
    return y
