# attack: floating-point errors that call back, and warnings that are errors
# keeps: convolve output_size
# control: none: it harms only who computes in its process

import warnings

warnings.simplefilter("error")
np.seterr(all="call")
np.seterrcall(lambda *_: 1 / 0)
np.set_printoptions(formatter={"all": lambda value: 1 / 0})
