# avg_pool_backward: "a pixel that no window sees has gradient zero" - a shortcut takes one single window for a global average over the whole image
# dy = [[[[4.0]]]], x of shape (1, 1, 3, 3), kernel_size=2: right is 1 in the upper left 2 x 2 pixels and 0 in the five others, here comes 1 everywhere
def avg_pool_backward(dy, x, kernel_size, *, stride=None):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ho, wo = dy.shape[2:]
    share = dy / (kh * kw)
    if (ho, wo) == (1, 1):  # global average pooling: every pixel has the same share
        return np.broadcast_to(share, x.shape).copy()
    dx = np.zeros(x.shape, x.dtype)
    for u in range(kh):
        for v in range(kw):
            dx[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw] += share
    return dx
