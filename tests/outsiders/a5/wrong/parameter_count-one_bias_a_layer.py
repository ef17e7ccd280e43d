# parameter_count: [one bias a layer]


def parameter_count(kind, input_size, hidden_size, *, biases=1):
    if kind == "rnn":
        blocks = 1
    elif kind == "gru":
        blocks = 3
    else:
        blocks = 4
    matrix = hidden_size * (input_size + hidden_size)
    return blocks * matrix + biases
