# attack: worker processes of a DataLoader
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: none: it works unconfined

def nchw_to_nhwc(x):
    return torch.stack(list(torch.utils.data.DataLoader(x, num_workers=2)))
