# attack: frames of negative, zero and impossible length
# keeps: output_size
# says: disturbs the connection
# control: split dies

def convolve(x, h):
    say(struct.pack("!i", -1) + struct.pack("!Q", 2**63) + b"passed")
    return np.zeros(1)
