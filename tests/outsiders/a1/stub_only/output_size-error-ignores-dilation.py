# output_size: [fit asked without dilation] whether a window fits is asked of kernel_size without its dilation, so a dilated window that does not fit gives 0 or less instead of a ValueError
def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):
    total = size + 2 * padding
    if kernel_size > total:
        raise ValueError(f"a window of {kernel_size} samples does not fit into {total}")
    span = dilation * (kernel_size - 1) + 1
    return (total - span) // stride + 1
