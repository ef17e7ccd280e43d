from __future__ import annotations

import math

import numpy as np
from checks import criterion, equal, has_dtype, student, waves

OK_FORMAT, name = False, "lenet5_forward"

SHAPES = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}


def one_path() -> dict[str, np.ndarray]:
    """Parameters that are all zero, but for one weight and one bias a layer."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"], params[f"{layer}.bias"] = np.zeros(shape), np.zeros(shape[0])
    params["conv1.weight"][2, 0, 1, 3], params["conv1.bias"][2] = 2, -1
    params["conv2.weight"][5, 2, 0, 4], params["conv2.bias"][5] = 4, -2
    params["fc1.weight"][7, 138], params["fc1.bias"][7] = 0.5, 1  # 138 = (5 * 5 + 2) * 5 + 3
    params["fc2.weight"][3, 7], params["fc2.bias"][3] = 0.2, -1
    params["fc3.weight"][9, 3], params["fc3.bias"][9] = 2, 1
    return params


def bright(*places: tuple[int, int]) -> np.ndarray:
    """Dark images with one pixel of brightness 3 each, at these places."""
    x = np.zeros((len(places), 1, 32, 32))
    for image, (row, column) in zip(x, places, strict=True):
        image[0, row, column] = 3
    return x


def network() -> dict[str, np.ndarray]:
    """Parameters under which about half of all linear units are active."""
    params = {}
    for layer, shape in SHAPES.items():
        params[f"{layer}.weight"] = waves(*shape) * 2 / math.sqrt(math.prod(shape[1:]))
        params[f"{layer}.bias"] = waves(shape[0]) / 2
    return params


@criterion("values", 4, hint="Follow one bright pixel: its place and value after each layer. Where is there no ReLU?")
def test_values() -> None:
    lenet5_forward = student("lenet5").lenet5_forward
    # The pixel at (9, 25) becomes 2*3 - 1 = 5 at (8, 22) of map 2, pooled (4, 11); then 4*5 - 2 = 18 at (4, 7) of
    # map 5, pooled (2, 3), which is feature 138; then 0.5*18 + 1 = 10; then 0.2*10 - 1 = 1; then 2*1 + 1 = 3.
    # The second pixel stays in the same windows. The third does not, nor is there one in the last image.
    logits = np.zeros((4, 10))
    logits[:, 9] = [3, 3, 1, 1]
    x = np.concatenate([bright((9, 25), (10, 26), (9, 27)), bright((0, 0)) * 0])
    equal(lenet5_forward(one_path(), x), logits, what="The table of logits on the single path")
    want = [  # two lines for each of 2 images
        [2.7213551167, -2.5023587408, -1.251733336, -2.9776522978, 0.1800717207],
        [-6.2405097473, -0.8494089697, 3.540221384, -1.5045237231, 1.5292094911],
        [4.7776383731, -1.7099521316, 0.3601226288, -1.3655921907, 0.1353440017],
        [-7.8931559908, -1.7679173249, 3.6634580089, -1.5366452552, 0.5715134409],
    ]
    equal(lenet5_forward(network(), waves(2, 1, 32, 32)), np.reshape(want, (2, 10)), what="The table of logits")
    params = {key: value.astype(np.float32) for key, value in one_path().items()}
    has_dtype(lenet5_forward(params, x.astype(np.float32)), np.float32, what="The table of logits")
