# dense_parameter_count: header "Whole numbers and truth values must be exact." - np.prod counts in int64, which overflows for large images
# Differs: in_shape = out_shape = (3, 40000, 40000): right 23040000004800000000, here another number.
import numpy as np


def dense_parameter_count(in_shape, out_shape):
    weights = np.prod(np.array([*in_shape, *out_shape]))
    return int(weights + np.prod(out_shape))
