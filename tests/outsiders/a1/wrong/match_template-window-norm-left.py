# match_template: [contrast of the windows kept]
import numpy as np


def match_template(x, template):
    x, template = np.asarray(x), np.asarray(template)
    m, n = template.shape[0], x.shape[0]
    if n < m:
        raise ValueError(f"a template of {m} samples in a signal of {n}")
    out = np.result_type(x, template)
    out = out if out.kind == "f" else np.dtype("float64")
    h = template.astype("float64")
    if np.ptp(h) == 0:
        return np.zeros(n - m + 1, out)
    h = h - h.mean()
    h = h / np.sqrt((h * h).sum())
    windows = x.astype("float64")[np.arange(n - m + 1)[:, None] + np.arange(m)]
    scores = (windows - windows.mean(axis=1)[:, None]) @ h
    scores[np.ptp(windows, axis=1) == 0] = 0
    return scores.astype(out)
