def windows(length, window, step):
    if window > length:
        raise ValueError
    return (length - window) // step + 1
