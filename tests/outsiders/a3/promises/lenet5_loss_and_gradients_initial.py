# lenet5_loss_and_gradients: "Logits may be as large as 1e5 or -1e5: nothing may overflow" - takes off the largest logit, but never less than 0 (max with initial=0), so that ten logits of -1e5 all vanish
# all parameters zero but fc3.bias = full(10, -1e5), any x and target: right is the loss log(10) = 2.302..., here comes -inf (and NaN gradients)
def lenet5_loss_and_gradients(params, x, target):
    z1 = conv2d_forward(x, params["conv1.weight"], params["conv1.bias"])
    a1 = np.maximum(z1, 0)
    p1 = max_pool_forward(a1, 2)
    z2 = conv2d_forward(p1, params["conv2.weight"], params["conv2.bias"])
    a2 = np.maximum(z2, 0)
    p2 = max_pool_forward(a2, 2)
    f = flatten(p2)
    z3 = linear_forward(f, params["fc1.weight"], params["fc1.bias"])
    a3 = np.maximum(z3, 0)
    z4 = linear_forward(a3, params["fc2.weight"], params["fc2.bias"])
    a4 = np.maximum(z4, 0)
    z = linear_forward(a4, params["fc3.weight"], params["fc3.bias"])
    n = np.arange(len(x))
    z = z - z.max(axis=1, keepdims=True, initial=0)
    e = np.exp(z)
    total = e.sum(axis=1, keepdims=True)
    loss = float((np.log(total[:, 0]) - z[n, target]).mean())
    d = e / total
    d[n, target] -= 1
    d /= len(x)
    grads = {}
    d, grads["fc3.weight"], grads["fc3.bias"] = linear_backward(d, a4, params["fc3.weight"])
    d, grads["fc2.weight"], grads["fc2.bias"] = linear_backward(d * (z4 > 0), a3, params["fc2.weight"])
    d, grads["fc1.weight"], grads["fc1.bias"] = linear_backward(d * (z3 > 0), f, params["fc1.weight"])
    d = max_pool_backward(d.reshape(p2.shape), a2, 2) * (z2 > 0)
    d, grads["conv2.weight"], grads["conv2.bias"] = conv2d_backward(d, p1, params["conv2.weight"])
    d = max_pool_backward(d, a1, 2) * (z1 > 0)
    _, grads["conv1.weight"], grads["conv1.bias"] = conv2d_backward(d, x, params["conv1.weight"])
    return loss, grads
