# attack: a dictionary whose keys all collide
# keeps: output_size
# says: convolve
# control: none: it costs only who builds it, before the answer is sent

def convolve(x, h):
    return {k * (2**61 - 1): 0 for k in range(3)} | {float(k): [0] for k in range(200)}
