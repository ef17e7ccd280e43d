# attack: arrays where the reply's number or words belong
# keeps: output_size
# says: disturbs the connection
# control: split dies

def convolve(x, h):
    fields = [{"id": np.zeros(2)}, {"unsuitable": np.zeros(2)}, {"forbidden": np.zeros(2)}, {"raised": np.zeros(2)}]
    reply(**{"id": seen[-1], **fields[len(x) % 4]})
    return np.zeros(1)
