# attack: never returns
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

def convolve(x, h):
    while True:
        pass
