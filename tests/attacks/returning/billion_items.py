# attack: a list of a billion items that takes a kilobyte
# keeps: output_size
# says: convolve
# control: hangs

def convolve(x, h):
    y = [0.0] * 10
    for _ in range(8):
        y = [y] * 10
    return y
