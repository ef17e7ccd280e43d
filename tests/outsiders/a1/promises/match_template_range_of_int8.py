# match_template: "It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0), and -1 where it is the negative." - whether a window varies is asked with np.ptp(...) > 0 on the numbers as they came: in int8 a range of 128 or more wraps to a negative one, and the window scores 0 as if it were constant.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def match_template(x, template):
    m = len(template)
    if m > len(x):
        raise ValueError("the template is longer than x")
    dtype = np.float32 if x.dtype == template.dtype == np.float32 else np.float64
    windows = sliding_window_view(x, m)
    varies = (np.ptp(windows, axis=1) > 0) & bool(np.ptp(template) > 0)  # exact: no mean is involved
    windows, template = windows.astype(np.float64), template.astype(np.float64)
    windows = windows - windows.mean(axis=1, keepdims=True)
    template = template - template.mean()
    norms = np.linalg.norm(windows, axis=1) * np.linalg.norm(template)
    scores = np.zeros(len(windows))
    np.divide(windows @ template, norms, out=scores, where=varies)
    return scores.astype(dtype)
