# nchw_to_nhwc: [reshaped to channels last]
def nchw_to_nhwc(x):
    n, c, h, w = x.shape
    return x.reshape(n, h, w, c)
