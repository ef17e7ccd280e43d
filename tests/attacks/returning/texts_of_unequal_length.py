# attack: a list of texts, one of them long: in an array each takes as much as the longest, gigabytes together
# exercises: a5 chrono_bias
# keeps: nothing
# says: returns far more than it should
# control: none: it takes more memory than a control may have

def chrono_bias(hidden_size, max_lag, *, rng):
    return ["x" * (1 << 20)] + [""] * 1500
