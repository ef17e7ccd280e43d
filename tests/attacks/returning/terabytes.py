# attack: an array of terabytes that takes eight bytes
# keeps: output_size
# says: returns something that is neither an array nor a number
# control: none: whoever copies it needs 32 TB

def convolve(x, h):
    return np.broadcast_to(1.0, (10**6, 10**6, 4))
