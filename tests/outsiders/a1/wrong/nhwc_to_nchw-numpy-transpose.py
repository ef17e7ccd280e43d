# nhwc_to_nchw: [round trip through NumPy]
import numpy as np
import torch


def nhwc_to_nchw(x):
    pixels = x.detach().cpu().numpy()
    moved = np.ascontiguousarray(np.moveaxis(pixels, -1, 1)).copy()
    return torch.from_numpy(moved).to(x.device)
