"""The parts of which convolution.py and convolution_torch.py are made."""

from .geometry import Axis, Plane
from .precision import common_dtype, in_common_precision

__all__ = ["Axis", "Plane", "common_dtype", "in_common_precision"]
