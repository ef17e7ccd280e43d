# attack: one C call that never checks for signals
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

def convolve(x, h):
    return sum(range(10**13))
