# attack: says that it is not there, that it is forbidden, or that it cannot be confined
# keeps: output_size
# says: convolve
# control: like forging/claims

def convolve(x, h):
    fields = [{"unsuitable": "missing"}, {"forbidden": "numpy.convolve"}, {"locked": True}, {"problem": "x"}]
    reply(id=seen[-1], **fields[len(x) % 4])
    return np.zeros(1)
