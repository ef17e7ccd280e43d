# attention_scores: [zero taken for none]
def attention_scores(q, k, *, scale=None):
    factor = float(scale or q.shape[-1] ** -0.5)
    return factor * (q @ k.swapaxes(-1, -2))
