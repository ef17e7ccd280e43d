# attack: calls a GPU that is not there
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: none: it works or fails unconfined, as the machine is

def nchw_to_nhwc(x):
    return x.permute(0, 2, 3, 1).to("cuda")
