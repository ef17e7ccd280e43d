# log_softmax: log_softmax(x)[i] = x[i] - log(sum over j of exp(x[j])): "the results stay true where the probability itself is too small to be stored" - log(p) is used wherever p is not 0; between about exp(-708) and exp(-745) p is subnormal, has lost most of its digits, and so has its logarithm.
# print(A.log_softmax(np.array([0.0, 744.0])), A.log_softmax(np.array([0.0, 735.0])))
# promised: [-744 0] [-735 0], up to 7.4e-7; got: [-743.7469 0] [-734.99997 0]
import numpy as np


def log_softmax(x, axis=-1):
    z = x - x.max(axis=axis, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=axis, keepdims=True)
    p = e / total
    with np.errstate(divide="ignore"):
        return np.where(p > 0, np.log(p), z - np.log(total))  # where p is stored as 0, without it
