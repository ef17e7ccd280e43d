# attack: a tensor of a few bytes that stands for terabytes
# exercises: a6 chunked_attention
# keeps: nothing
# says: returns something that is neither
# control: none: it costs who copies it

def chunked_attention(q, k, v, **settings):
    return torch.zeros(1).expand(20_000, 20_000, 20_000)
