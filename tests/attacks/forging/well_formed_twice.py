# attack: two answers to one question, of which the first is in the shape of a real one
# keeps: nothing
# says: disturbs the connection
# control: like forging/for_a_later_case

honest = convolve


def convolve(x, h):
    reply(id=seen[-1], value=honest(x, h) if x.size * h.size else 0.0, changed=False, cpu=0.0)
    return np.zeros(1)


def output_size(*_, **__):
    raise RuntimeError
