# nhwc_to_nchw: "A view of shape (N, C, H, W) that shares the storage of x: nothing is copied." - rows and columns are flattened into one axis and separated again; flatten copies where the two cannot be one axis, for images cut out of larger ones (fewer columns) or transposed.
# x = torch.zeros(2, 4, 6, 3)[:, :, 1:5]  # a crop: tensors that are passed in may be sliced
# y = nhwc_to_nchw(x)
# x[1, 3, 2, 0] = 7
# got = y[1, 0, 3, 2].item()
# print(got)  # promised 7 (what is written into x is seen in the view), comes out 0
def nhwc_to_nchw(x):
    _, height, width, _ = x.shape
    pixels = x.flatten(1, 2)  # N, H * W, C
    return pixels.transpose(1, 2).unflatten(2, (height, width))
