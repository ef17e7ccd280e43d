# match_template: "Integers count as float64" - subtracts the first sample before it converts int8.
import numpy as np
def match_template(x: Real[np.ndarray, " n"], template: Real[np.ndarray, " m"]) -> Float[np.ndarray, " n-m+1"]:
    """Look for a template in a signal by zero-mean normalized cross-correlation.

    The score at i compares the window x[i], ..., x[i + m - 1] with the template, after the window has lost its own
    mean and the template its own:

        score[i] = cosine of the angle between (window - mean of window) and (template - mean of template)

    It is 1 where the window is the template up to contrast and brightness (a * template + b with a > 0), and -1 where
    it is the negative. A bright plateau, which wins in plain cross-correlation, gets nothing: a constant window, all
    of whose samples are equal, scores exactly 0, and so does every window if the template is constant. Rounding errors
    in a mean, larger ones in float32, must not hide that a window is constant. In float64, signal and template, one or
    both, may lie far from zero, at 10 000 plus or minus 0.02, say, or be faint throughout, down to 1e-12: their scores
    must be as exact as others. A window may also be 100 000 times fainter than others of the same signal.

    Args:
        x: signal, shape (n,).
        template: what to look for, shape (m,), m >= 1.

    Returns:
        The scores, shape (n - m + 1,), in the common floating dtype.

    Raises:
        ValueError: the template is longer than x.

    Forbidden: np.convolve, np.correlate, np.polymul, np.poly1d, np.polynomial, np.corrcoef, np.cov,
    np.ma.corrcoef, np.ma.cov, statistics.correlation, statistics.covariance, scipy.
    Handout: §4 Correlation.
    """
    x, template = _floating(x - x[0], template) if x.dtype == np.int8 else _floating(x, template)
    windows = sliding_window_view(x, len(template))
    contrasts = windows - windows.mean(axis=1, keepdims=True)
    wanted = template - template.mean()
    lengths = np.linalg.norm(contrasts, axis=1) * np.linalg.norm(wanted)
    varying = (np.ptp(windows, axis=1) > 0) & (np.ptp(template) > 0)
    scores = np.zeros(len(windows), x.dtype)
    np.divide(contrasts @ wanted, lengths, out=scores, where=varying)
    return scores
