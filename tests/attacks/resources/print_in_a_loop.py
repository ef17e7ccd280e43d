# attack: prints for ever
# keeps: output_size
# says: convolve
# control: hangs

def convolve(x, h):
    while True:
        try:
            print("x" * 10_000)
        except OSError:
            pass
