# attack: asks NumPy for more memory than there should be
# keeps: output_size
# says: uses more memory than it may
# control: does

def convolve(x, h):
    held = np.empty(3 << 30, np.uint8)
    print("DAMAGE: 3 GB in one array", held.shape)
