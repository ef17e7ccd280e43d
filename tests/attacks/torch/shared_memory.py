# attack: tensors in shared memory, which outlive the process
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: like resources/memory_shared

def nchw_to_nhwc(x):
    return x.permute(0, 2, 3, 1).contiguous().share_memory_()
