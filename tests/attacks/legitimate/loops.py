# attack: none: a slow version with two loops
# keeps: convolve output_size

def convolve(x, h):
    if not len(x) or not len(h):
        raise ValueError("empty")
    y = [0.0] * (len(x) + len(h) - 1)
    for i in range(len(x)):
        for k in range(len(h)):
            for _ in range(100):
                pass
            y[i + k] += x[i] * h[k]
    return np.array(y)
