# attack: writes into the driver's variables what the driver should see: two criteria rest on its word
# exercises: a3 evaluate
# keeps: evaluate.modes evaluate.gradient
# says: evaluate: loss
# control: like looking/frames

import sys


def evaluate(model, batches, device):
    sys._getframe(1).f_locals["passes"][:] = [(False, False)]
    return 0.0, 0.0
