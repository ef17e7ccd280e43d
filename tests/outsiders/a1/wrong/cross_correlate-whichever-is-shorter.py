# cross_correlate: [signal and template exchanged]
import numpy as np


def cross_correlate(x, h):
    """Slide the template along the signal and take inner products."""
    x, h = np.asarray(x), np.asarray(h)
    signal, template = (x, h) if x.size >= h.size else (h, x)
    kind = np.promote_types(x.dtype, h.dtype)
    if kind.kind in "iub":
        kind = np.float64
    signal, template = signal.astype(kind), template.astype(kind)
    places = signal.size - template.size + 1
    return np.array([signal[i : i + template.size] @ template for i in range(places)], dtype=kind)
