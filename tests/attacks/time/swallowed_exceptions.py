# attack: catches whatever would end it
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

def convolve(x, h):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
