# min_pool_zero_fraction: "A window gives zero as soon as one of its values is not positive, and only then: a value of 1e-12 is not zero" - asks whether the product of the window is 0, and small numbers multiply to 0
# x = full((1, 1, 6, 6), 1e-12), kernel_size=6 (or in float32 full((1, 1, 2, 2), 1e-12), kernel_size=2): right is 0.0, here comes 1.0
def min_pool_zero_fraction(x, kernel_size):
    kh, kw = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
    ho, wo = x.shape[2] // kh, x.shape[3] // kw
    a = np.maximum(x, 0)[:, :, : ho * kh, : wo * kw].reshape(*x.shape[:2], ho, kh, wo, kw)
    return float(np.mean(a.prod(axis=(3, 5)) == 0))
