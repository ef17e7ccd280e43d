# output_size: [cut towards zero]
def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    free = size + 2 * padding - dilation * (kernel_size - 1) - 1
    windows = int(free / stride) + 1
    if windows < 1:
        raise ValueError("not one window fits")
    return windows
