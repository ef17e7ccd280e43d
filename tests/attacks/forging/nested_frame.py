# attack: a frame nested so deeply that the decoder overflows its stack
# keeps: output_size
# says: disturbs the connection
# control: like forging/negative_length

def convolve(x, h):
    skeleton = b"\x91" * (1 << 20) + b"\xc0"
    say(frame(struct.pack("<I", len(skeleton)) + skeleton))
