# attack: one exercise turns gradients off, and turns the dtype, the device and the floating-point errors of all others
# exercises: a6 chunked_attention MultiHeadAttention
# keeps: chunked_attention MultiHeadAttention
# control: none: it spoils what is asked next, not who asks

import numpy as np

honest = chunked_attention


def chunked_attention(*arguments, **settings):
    out = honest(*arguments, **settings)
    np.seterr(all="raise")
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.use_deterministic_algorithms(True)
    torch.autograd.set_detect_anomaly(True)
    torch.set_num_threads(100_000)
    return out
