# attack: pretends that the teacher pressed Ctrl-C
# keeps: output_size
# says: raises KeyboardInterrupt
# control: dies

def convolve(x, h):
    raise KeyboardInterrupt
