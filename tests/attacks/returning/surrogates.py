# attack: text that cannot be written
# keeps: output_size
# says: convolve
# control: none: a report only fails to be written

def convolve(x, h):
    return "\ud800"
