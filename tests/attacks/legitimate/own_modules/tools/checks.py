def not_empty(*arrays):
    if not all(map(len, arrays)):
        raise ValueError
