# lenet5_loss_and_gradients: [right class alone] only the logit of the right class receives a gradient, (p - 1) / N; the other logits of the softmax are forgotten
import numpy as np
from provided import conv2d_backward, conv2d_forward


def lenet5_loss_and_gradients(params, x, target):
    def _wb(layer):
        return params[f"{layer}.weight"], params[f"{layer}.bias"]

    z1 = conv2d_forward(x, *_wb("conv1"))
    a1 = np.maximum(z1, 0)
    p1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(p1, *_wb("conv2"))
    a2 = np.maximum(z2, 0)
    p2 = max_pool_forward(a2, 2)
    v = flatten(p2)
    h1 = np.maximum(linear_forward(v, *_wb("fc1")), 0)
    h2 = np.maximum(linear_forward(h1, *_wb("fc2")), 0)
    z = linear_forward(h2, *_wb("fc3"))

    rows = np.arange(len(target))
    z = z - z.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    loss = float(-log_p[rows, target].mean())

    dz = np.zeros_like(z)
    dz[rows, target] = (np.exp(log_p[rows, target]) - 1) / len(target)

    g = {}
    d, g["fc3.weight"], g["fc3.bias"] = linear_backward(dz, h2, params["fc3.weight"])
    d, g["fc2.weight"], g["fc2.bias"] = linear_backward(d * (h2 > 0), h1, params["fc2.weight"])
    d, g["fc1.weight"], g["fc1.bias"] = linear_backward(d * (h1 > 0), v, params["fc1.weight"])
    d = max_pool_backward(d.reshape(p2.shape), a2, 2) * (z2 > 0)
    d, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(d, p1, params["conv2.weight"])
    d = max_pool_backward(d, a1, 2) * (z1 > 0)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(d, x, params["conv1.weight"])
    return loss, g
