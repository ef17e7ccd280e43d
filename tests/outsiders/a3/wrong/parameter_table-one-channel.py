# parameter_table: [filters that see one channel]


def parameter_table(size=32, in_channels=1, channels=(6, 16), kernel_size=5, hidden=(120, 84), classes=10):
    first, second = channels
    filter_weights = kernel_size * kernel_size
    table = {}
    table["conv1"] = first * (in_channels * filter_weights + 1)
    table["conv2"] = second * (filter_weights + 1)
    side = size
    for _ in range(2):
        side = (side - kernel_size + 1) // 2
    table["fc1"] = (second * side * side + 1) * hidden[0]
    table["fc2"] = (hidden[0] + 1) * hidden[1]
    table["fc3"] = (hidden[1] + 1) * classes
    table["total"] = sum(table.values())
    return table
