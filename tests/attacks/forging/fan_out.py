# attack: a small frame that announces four billion items
# keeps: output_size
# says: disturbs the connection
# control: like forging/lying_header

def convolve(x, h):
    skeleton = b"\xdd\xff\xff\xff\xff" * 1000
    say(frame(struct.pack("<I", len(skeleton)) + skeleton))
