# bidirectional_lstm: [padding let in above]
import numpy as np


def bidirectional_lstm(x, lengths, layers):
    N, T = x.shape[:2]
    if lengths.min() < 1 or lengths.max() > T:
        raise ValueError(f"lengths must lie between 1 and {T}")
    (first_forward, first_backward), *others = layers
    turned = reverse_padded(x, lengths)  # noqa: F821
    there = _bidirectional_lstm_run(x, first_forward)
    back = reverse_padded(_bidirectional_lstm_run(turned, first_backward), lengths)  # noqa: F821
    out = np.concatenate([there, back], axis=-1)
    # from here on everything is hidden states, a plain flip of the time axis will do
    for forward, backward in others:
        there = _bidirectional_lstm_run(out, forward)
        back = _bidirectional_lstm_run(out[:, ::-1], backward)[:, ::-1]
        out = np.concatenate([there, back], axis=-1)
    out[np.arange(T) >= lengths[:, None]] = 0
    return out


def _bidirectional_lstm_run(x, weights):
    W, b = weights
    start = np.zeros((x.shape[0], b.shape[0] // 4), dtype=x.dtype)
    return lstm_forward(x, start, start, W, b)[0]  # noqa: F821
