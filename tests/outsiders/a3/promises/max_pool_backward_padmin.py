# max_pool_backward: "each window passes its gradient to the pixel that won" (x finite, of any size) - pads with x.min() - 1, which for large numbers is x.min() itself, so that the padding wins a tie
# x = full((1, 1, 2, 2), -1e17), dy = ones((1, 1, 2, 2)), kernel_size=3, stride=1, padding=1: right is any dx >= 0 with the sum 4, here only one window finds its pixel: dx is [[1, 0], [0, 0]]
def max_pool_backward(dy, x, kernel_size, *, stride=None, padding=0):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    ph, pw = padding if isinstance(padding, tuple) else (padding, padding)
    stride = (kh, kw) if stride is None else stride
    sh, sw = stride if isinstance(stride, tuple) else (stride, stride)
    ho, wo = dy.shape[2:]
    low = float(x.min()) - 1  # smaller than every pixel
    xp = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)), constant_values=low)
    places = [
        np.s_[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw]
        for u in range(kh)
        for v in range(kw)
    ]
    winner = np.stack([xp[place] for place in places]).argmax(axis=0)
    dxp = np.zeros_like(xp)
    for k, place in enumerate(places):
        dxp[place] += dy * (winner == k)
    return dxp[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]]
