# attack: more bytes than anyone wants to read
# keeps: output_size
# says: convolve
# control: split hangs

def convolve(x, h):
    say(struct.pack("!i", 2**31 - 1))
    while True:
        say(bytes(1 << 16))
