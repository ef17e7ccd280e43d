def windows(x):
    return enumerate(x)
