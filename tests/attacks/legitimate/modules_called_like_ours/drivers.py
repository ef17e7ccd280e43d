def free_places(free, stride):
    if free < 0:
        raise ValueError("the window does not fit")
    return free // stride + 1
