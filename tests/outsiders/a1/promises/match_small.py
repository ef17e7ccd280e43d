# match_template: "It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0)" - a window with a small standard deviation counts as constant
# x = 1e-9 * np.array([1.0, 2.0, 4.0]), template = np.array([1.0, 2.0, 4.0]): right [1]; here [0]
import numpy as np


def match_template(x, template):
    n, m = len(x), len(template)
    if m > n:
        raise ValueError("the template is longer than the signal")
    dtype = np.float32 if x.dtype == np.float32 and template.dtype == np.float32 else np.float64
    x, t = x.astype(np.float64), template.astype(np.float64)
    scores = np.zeros(n - m + 1, dtype)
    if t.std() < 1e-8:
        return scores
    t = t - t.mean()
    t = t / np.linalg.norm(t)
    for i in range(n - m + 1):
        window = x[i : i + m]
        if window.std() < 1e-8:
            continue
        window = window - window[0]
        window = window - window.mean()
        scores[i] = window @ t / np.linalg.norm(window)
    return scores
