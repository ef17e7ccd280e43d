# impulse_response: [answer to silence subtracted]
import numpy as np


def impulse_response(system, length):
    silence = np.zeros(length)
    impulse = silence.copy()
    impulse[0] = 1.0
    # whatever the system says without any input is not caused by the impulse
    background = system(silence.copy())
    return system(impulse) - background
