# attack: calls itself for ever
# keeps: output_size
# says: raises RecursionError
# control: like resources/stack_overflow

def convolve(x, h):
    return convolve(x, h)
