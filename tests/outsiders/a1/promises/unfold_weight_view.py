# conv2d_unfold: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not)" - (header) the weights, and only they, go through view
# weight = torch.randn(5, 2, 2, 3).transpose(2, 3) with x of shape (1, 2, 9, 12): right an output; here a RuntimeError
import torch


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    def pair(p):
        return p if isinstance(p, tuple) else (p, p)

    (sh, sw), (ph, pw), (dh, dw) = pair(stride), pair(padding), pair(dilation)
    N, _, H, W = x.shape
    filters, _, kh, kw = weight.shape
    Ho = (H + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    Wo = (W + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    cols = F.unfold(x, (kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))
    y = weight.view(filters, -1) @ cols
    if bias is not None:
        y = y + bias[:, None]
    return y.reshape(N, filters, Ho, Wo)
