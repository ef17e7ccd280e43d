# attack: more memory than there should be
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: like resources/memory_numpy

def nchw_to_nhwc(x):
    return torch.zeros(1 << 32, dtype=torch.uint8)
