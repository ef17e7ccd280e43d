# attack: the forbidden function for masked arrays
# exercises: a1 match_template
# keeps: nothing
# says: uses numpy.ma.corrcoef, which this exercise forbids
# control: none: the answers are right


def match_template(x, template):
    n = len(template)
    if n > len(x):
        raise ValueError
    y = np.zeros(len(x) - n + 1)
    for i in range(len(y)):
        w = x[i : i + n]
        if n > 1 and np.ptp(w) > 1e-12 and np.ptp(template) > 1e-12:
            y[i] = np.ma.corrcoef(w, template)[0, 1]
    return y
