# attack: fills the memory with Python objects
# keeps: output_size
# says: convolve
# control: does

def convolve(x, h):
    held = []
    while len(held) < 1500:
        held.append(b"x" * 2**20)
    print("DAMAGE: 1.5 GB held")
