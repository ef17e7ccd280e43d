# attention_scores: "Any number is allowed, 0 and whole ones too" - only a float counts as a scale that was given; an int is taken for none
# attention_scores([[1.0, 2.0]], [[3.0, 1.0]], scale=2): 10 is right, here comes 5 / sqrt(2)
def attention_scores(q, k, *, scale=None):
    factor = scale if isinstance(scale, float) else 1 / float(q.shape[-1]) ** 0.5
    return factor * (q @ k.swapaxes(-1, -2))
