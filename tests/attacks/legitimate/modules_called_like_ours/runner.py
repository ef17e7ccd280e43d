def nothing(x):
    return not len(x)
