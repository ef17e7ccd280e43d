# match_template: "a constant window, all of whose samples are equal, scores exactly 0" - a window counts as constant when np.allclose says so, whose tolerance is relative to its height
# x = 10000 + np.array([0.0, 0.02, 0.05]), template = np.array([0.0, 2.0, 5.0]): right [1]; here [0]
import numpy as np


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than the signal")
    dtype = np.float32 if x.dtype == np.float32 and template.dtype == np.float32 else np.float64
    x, t = x.astype(np.float64), template.astype(np.float64)
    scores = np.zeros(n - m + 1, dtype)
    if np.allclose(t, t[0]):
        return scores
    t = t - t.mean()
    t = t / np.linalg.norm(t)
    for i in range(n - m + 1):
        window = x[i : i + m]
        if np.allclose(window, window[0]):
            continue
        window = window - window[0]
        window = window - window.mean()
        scores[i] = window @ t / np.linalg.norm(window)
    return scores
