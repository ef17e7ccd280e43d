# lenet5_loss_and_gradients: "The slope of ReLU at exactly 0 counts as 0, as in PyTorch." - in the first layer what is exactly 0 passes the gradient on (z < 0 is blocked instead of z <= 0)
# Differs: x of zeros, conv1.bias of zeros, all other parameters positive (0.01), target [3]: right grads["conv1.bias"] is 0, here it is not.
import numpy as np
from provided import conv2d_backward, conv2d_forward


def lenet5_loss_and_gradients(params, x, target):
    p, g, n = params, {}, np.arange(len(x))
    z1 = conv2d_forward(x, p["conv1.weight"], p["conv1.bias"])
    r1 = np.maximum(z1, 0)
    a1 = max_pool_forward(r1, 2)
    z2 = conv2d_forward(a1, p["conv2.weight"], p["conv2.bias"])
    r2 = np.maximum(z2, 0)
    a2 = max_pool_forward(r2, 2)
    f = flatten(a2)
    z3 = linear_forward(f, p["fc1.weight"], p["fc1.bias"])
    a3 = np.maximum(z3, 0)
    z4 = linear_forward(a3, p["fc2.weight"], p["fc2.bias"])
    a4 = np.maximum(z4, 0)
    z = linear_forward(a4, p["fc3.weight"], p["fc3.bias"])
    z = z - z.max(axis=1, keepdims=True)
    total = np.exp(z).sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(total[:, 0]) - z[n, target], dtype=np.float64))
    d = np.exp(z) / total
    d[n, target] -= 1
    d /= len(x)
    d, g["fc3.weight"], g["fc3.bias"] = linear_backward(d, a4, p["fc3.weight"])
    d, g["fc2.weight"], g["fc2.bias"] = linear_backward(d * (z4 > 0), a3, p["fc2.weight"])
    d, g["fc1.weight"], g["fc1.bias"] = linear_backward(d * (z3 > 0), f, p["fc1.weight"])
    d = max_pool_backward(d.reshape(a2.shape), r2, 2)
    d, g["conv2.weight"], g["conv2.bias"] = conv2d_backward(d * (z2 > 0), a1, p["conv2.weight"])
    d = max_pool_backward(d, r1, 2)
    _, g["conv1.weight"], g["conv1.bias"] = conv2d_backward(d * ~(z1 < 0), x, p["conv1.weight"])
    return loss, g
