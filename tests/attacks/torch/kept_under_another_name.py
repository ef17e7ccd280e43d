# attack: keeps a forbidden function, which is written in C, from the import under a name that no text gives away
# exercises: a1 conv2d_unfold
# keeps: nothing
# says: forbids
# control: none: the answers are right

kept = vars(F)["con" + "v2d"]


def conv2d_unfold(x, weight, bias=None, *, stride=1, padding=0, dilation=1):
    return kept(x, weight, bias, stride=stride, padding=padding, dilation=dilation)
