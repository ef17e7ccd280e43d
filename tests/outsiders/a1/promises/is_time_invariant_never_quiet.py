# is_time_invariant: "somewhere between amplitudes of 0.01 and 100" - the test signals begin at 0.1, none is as quiet as 0.01 over its whole length.
# from n = 8 on, samples are lost as long as nothing above 0.05 has come yet (a noise gate), length 16: right is False, here comes True.
import numpy as np


def is_time_invariant(system, length, *, rng):
    for amplitude in (0.1, 0.3, 1, 3, 10, 30, 100):
        for delay in (1, 2, 3, 5):
            for _ in range(4):
                x = amplitude * rng.standard_normal(length)
                x[length - delay :] = 0
                late = np.concatenate([np.zeros(delay), x[: length - delay]])
                got, want = system(late)[delay:], system(x)[: length - delay]
                if np.abs(got - want).max() > 1e-9 * max(np.abs(got).max(), np.abs(want).max()):
                    return False
    return True
