# lenet5_loss_and_gradients: "The slope of ReLU at exactly 0 counts as 0" - also where z is not larger than 1e-8
import numpy as np
from provided import conv2d_backward, conv2d_forward

TINY = 1e-8


def lenet5_loss_and_gradients(params, x, target):
    p = params
    z1 = conv2d_forward(x, p["conv1.weight"], p["conv1.bias"])
    a1 = np.maximum(z1, 0)
    m1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(m1, p["conv2.weight"], p["conv2.bias"])
    a2 = np.maximum(z2, 0)
    m2 = max_pool_forward(a2, 2)
    f = flatten(m2)
    z3 = linear_forward(f, p["fc1.weight"], p["fc1.bias"])
    a3 = np.maximum(z3, 0)
    z4 = linear_forward(a3, p["fc2.weight"], p["fc2.bias"])
    a4 = np.maximum(z4, 0)
    z = linear_forward(a4, p["fc3.weight"], p["fc3.bias"])
    n = len(z)
    z = z - z.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    loss = float(-log_p[np.arange(n), target].mean())
    dz = np.exp(log_p)
    dz[np.arange(n), target] -= 1
    dz /= n
    g = {}
    d, g["fc3.weight"], g["fc3.bias"] = linear_backward(dz, a4, p["fc3.weight"])
    d, g["fc2.weight"], g["fc2.bias"] = linear_backward(d * (z4 > TINY), a3, p["fc2.weight"])
    d, g["fc1.weight"], g["fc1.bias"] = linear_backward(d * (z3 > TINY), f, p["fc1.weight"])
    d = max_pool_backward(d.reshape(m2.shape), a2, 2)
    d, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(d * (z2 > TINY), m1, p["conv2.weight"])
    d = max_pool_backward(d, a1, 2)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(d * (z1 > TINY), x, p["conv1.weight"])
    return loss, g
