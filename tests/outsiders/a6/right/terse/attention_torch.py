import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h, D = num_heads, embed_dim
        self.in_proj_weight = nn.Parameter(torch.randn(3 * D, D) / D**0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * D))
        self.out_proj = nn.Linear(D, D)

    def forward(self, x, memory=None, mask=None):
        p = lambda z: (z @ self.in_proj_weight.T + self.in_proj_bias).unflatten(2, (3, self.h, -1)).permute(2, 0, 3, 1, 4)
        q, (_, k, v) = p(x)[0], p(x if memory is None else memory)
        s = q @ k.mT / q.shape[3] ** 0.5
        if mask is not None:
            s = s.where(mask, -torch.inf)
        # one more key, without a value: the blind look at it, and nobody else does
        s = torch.cat([s, torch.where(s.amax(3, True).isinf(), 0.0, -torch.inf).to(s)], 3)
        return self.out_proj((s.softmax(3)[..., :-1] @ v).transpose(1, 2).flatten(2))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.embedding.weight.data /= dim**0.5
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in "qkv")

    def encode(self, ids):
        x = self.embedding(ids)
        return x + (self.q(x) @ self.k(x).mT / x.shape[2] ** 0.5).softmax(2) @ self.v(x)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.k, self.v, self.o = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim), nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        w = (self.k(keys) @ self.k(query)[..., None] / self.k.embedding_dim**0.5).softmax(1)
        return self.o((w.mT @ self.v(values))[:, 0])


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    out, c = q.new_empty(*q.shape[:3], v.shape[3]), q.shape[3] ** -0.5
    for i in range(0, q.shape[2], chunk):
        s = q[:, :, i : i + chunk] @ k.mT * c
        if is_causal:
            s += torch.full(s.shape[2:], -torch.inf, dtype=s.dtype, device=s.device).triu(i + 1)
        out[:, :, i : i + chunk] = s.softmax(3) @ v
        del s
    return out
