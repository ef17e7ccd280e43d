# attack: torch.compile, which wants a compiler
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: like resources/posix_spawn

@torch.compile
def compiled(x):
    return x.permute(0, 2, 3, 1) * 2 / 2


def nchw_to_nhwc(x):
    return compiled(x)
