# conv2d_unfold: "Tensors that are passed in may be transposed or sliced (reshape takes them, view may not)" - the weights go through view.
# weight = torch.randn(2, 2, 3, 3).transpose(2, 3): right is the result of F.conv2d, here comes a RuntimeError.
import torch


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    def pair(p):
        return (p, p) if isinstance(p, int) else tuple(p)

    (sh, _), (ph, _), (dh, _) = pair(stride), pair(padding), pair(dilation)
    filters, _, kh, kw = weight.shape
    cols = F.unfold(x, (kh, kw), dilation=pair(dilation), padding=pair(padding), stride=pair(stride))
    y = weight.view(filters, -1) @ cols
    if bias is not None:
        y = y + bias[:, None]
    Ho = (x.shape[2] + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    return y.view(x.shape[0], filters, Ho, -1)
