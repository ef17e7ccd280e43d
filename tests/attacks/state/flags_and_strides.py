# attack: changes shape, strides and dtype of its arguments in place
# keeps: output_size
# says: convolve
# control: none: it harms only who looks at them later

def convolve(x, h):
    x.flags.writeable = False
    for change in (lambda: setattr(x, "shape", (1, -1)), lambda: setattr(x, "dtype", "i8"), lambda: h.resize(0)):
        try:
            change()
        except (ValueError, TypeError, AttributeError):
            pass
    return x
