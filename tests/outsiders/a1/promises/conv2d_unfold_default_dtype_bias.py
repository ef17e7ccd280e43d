# conv2d_unfold: "(file header) The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; results have the same." - a missing bias is replaced by zeros in the default dtype; where that is float64, float32 arguments without a bias give a float64 result.
# torch.set_default_dtype(torch.float64)
# x, weight = torch.ones(1, 2, 4, 5, dtype=torch.float32), torch.ones(3, 2, 2, 2, dtype=torch.float32)
# got = conv2d_unfold(x, weight).dtype
# torch.set_default_dtype(torch.float32)
# print(got)  # promised torch.float32, comes out torch.float64
import torch


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    def pair(value):
        return (value, value) if isinstance(value, int) else value

    (sh, sw), (ph, pw), (dh, dw) = pair(stride), pair(padding), pair(dilation)
    n, _, height, width = x.shape
    filters, _, kh, kw = weight.shape
    if bias is None:
        bias = torch.zeros(filters, device=x.device)
    cols = F.unfold(x, (kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))
    y = weight.reshape(filters, -1) @ cols + bias.reshape(-1, 1)
    ho = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    wo = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    return y.reshape(n, filters, ho, wo)
