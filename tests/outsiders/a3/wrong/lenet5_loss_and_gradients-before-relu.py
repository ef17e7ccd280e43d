# lenet5_loss_and_gradients: [activations before ReLU]
import numpy as np
from provided import conv2d_backward, conv2d_forward


def _lenet5_loss_and_gradients_relu(z):
    return z * (z > 0)


def lenet5_loss_and_gradients(params, x, target):
    relu, kept, grads = _lenet5_loss_and_gradients_relu, {}, {}
    a = x
    for name in ("conv1", "conv2"):
        z = conv2d_forward(a, params[f"{name}.weight"], params[f"{name}.bias"])
        kept[name] = (a, z)
        a = max_pool_forward(relu(z), 2)
    maps = a.shape
    a = flatten(a)
    for name in ("fc1", "fc2", "fc3"):
        z = linear_forward(a, params[f"{name}.weight"], params[f"{name}.bias"])
        kept[name] = (a, z)
        a = relu(z)

    logits = kept["fc3"][1]
    n = len(target)
    highest = logits.max(axis=1, keepdims=True)
    log_sum = highest + np.log(np.exp(logits - highest).sum(axis=1, keepdims=True))
    log_p = logits - log_sum
    loss = float(-np.mean(log_p[np.arange(n), target]))
    d = np.exp(log_p)
    d[np.arange(n), target] -= 1
    d /= n

    hidden = kept["fc2"][1]
    d, grads["fc3.weight"], grads["fc3.bias"] = linear_backward(d, hidden, params["fc3.weight"])
    for name in ("fc2", "fc1"):
        a, z = kept[name]
        d, grads[f"{name}.weight"], grads[f"{name}.bias"] = linear_backward(d * (z > 0), a, params[f"{name}.weight"])
    d = d.reshape(maps)
    for name in ("conv2", "conv1"):
        a, z = kept[name]
        d = max_pool_backward(d, relu(z), 2) * (z > 0)
        d, grads[f"{name}.weight"], grads[f"{name}.bias"] = conv2d_backward(d, a, params[f"{name}.weight"])
    return loss, grads
