# attack: a small frame that announces four billion items
# keeps: output_size
# says: disturbs the connection
# control: like forging/negative_length

def convolve(x, h):
    skeleton = b"\xdd\xff\xff\xff\xff" * 1000
    say(frame(struct.pack("<I", len(skeleton)) + skeleton))
