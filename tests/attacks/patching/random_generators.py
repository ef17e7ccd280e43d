# attack: random generators that are not random, and cannot be seeded
# keeps: convolve output_size
# control: none: it harms only who computes in its process

import random

np.random.seed = random.seed = lambda *_: None
np.random.default_rng = lambda *_: None
