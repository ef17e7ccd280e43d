# attack: tensors without storage: meta and sparse
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: none: a checker only fails on it

def nchw_to_nhwc(x):
    y = x.permute(0, 2, 3, 1)
    return y.to("meta") if x.numel() % 2 else y.to_sparse()
