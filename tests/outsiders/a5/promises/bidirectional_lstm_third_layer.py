# bidirectional_lstm: [every further layer reads the first] the first layer is run by itself, and each further one reads its output
import numpy as np


def both_directions(x, lengths, layer):
    (W_f, b_f), (W_b, b_b) = layer
    inside = (np.arange(x.shape[1])[None, :] < lengths[:, None])[:, :, None]
    start = np.zeros((x.shape[0], b_f.shape[0] // 4), dtype=x.dtype)
    x = np.where(inside, x, x.dtype.type(0))
    ahead = lstm_forward(x, start, start, W_f, b_f)[0]
    back = lstm_forward(reverse_padded(x, lengths), start, start, W_b, b_b)[0]
    out = np.concatenate([ahead, reverse_padded(back, lengths)], axis=-1)
    return np.where(inside, out, out.dtype.type(0))


def bidirectional_lstm(x, lengths, layers):
    if lengths.min() < 1 or lengths.max() > x.shape[1]:
        raise ValueError("lengths must be from 1 to T")
    first = out = both_directions(x, lengths, layers[0])
    for layer in layers[1:]:
        out = both_directions(first, lengths, layer)
    return out
