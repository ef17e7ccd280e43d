"""Features first, kept keys gathered per query where there is a mask, cosines with a learned temperature."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.shape = (num_heads, embed_dim // num_heads)
        self.in_proj_weight = nn.Parameter(nn.init.trunc_normal_(torch.empty(3 * embed_dim, embed_dim), std=0.1))
        self.in_proj_bias = nn.Parameter(nn.init.trunc_normal_(torch.empty(3 * embed_dim), std=0.01))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def _project(self, tokens: Tensor) -> Tensor:
        flat = torch.cat([tokens, torch.ones_like(tokens[..., :1])], dim=-1)
        matrix = torch.cat([self.in_proj_weight, self.in_proj_bias[:, None]], dim=1)
        return (matrix @ flat.transpose(1, 2)).unflatten(1, (3, *self.shape))  # (N, 3, heads, d, T)

    def forward(self, x, memory=None, mask=None):
        q = self._project(x)[:, 0]
        _, k, v = self._project(x if memory is None else memory).unbind(1)
        scores = (k.transpose(2, 3) @ q).transpose(2, 3) / self.shape[1] ** 0.5
        if mask is None:
            mask = scores.new_ones((), dtype=torch.bool)
        weights = torch.nan_to_num(torch.where(mask, scores, float("-inf")).softmax(-1))
        heads = v @ weights.transpose(2, 3)  # (N, heads, d, T)
        return self.out_proj(heads.flatten(1, 2).transpose(1, 2))


class SenseModel(nn.Module):
    def __init__(self, vocab_size: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, _weight=torch.empty(vocab_size, dim).normal_(std=dim**-0.5))
        self.query, self.key, self.value = (nn.Linear(dim, dim, bias=False) for _ in range(3))

    def encode(self, ids):
        x = self.embedding(ids)
        return F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x)) + x

    def forward(self, ids):
        return torch.tensordot(self.encode(ids), self.embedding.weight, dims=([2], [1]))


class RecallModel(nn.Module):
    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.sharpness = nn.Parameter(torch.tensor(10.0))

    def forward(self, keys, values, query):
        fit = F.cosine_similarity(self.keys(keys), self.keys(query).unsqueeze(1), dim=-1)
        weights = F.softmax(self.sharpness * fit, dim=-1)
        found = F.embedding_bag(values, self.values.weight, per_sample_weights=weights, mode="sum")
        return found @ self.values.weight.T / found.shape[1] ** 0.5


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    keys, parts = k.mT * q.shape[-1] ** -0.5, []
    for number, piece in enumerate(q.split(chunk, dim=2)):
        scores = piece @ keys
        if is_causal:
            future = torch.tril(torch.ones_like(scores[0, 0], dtype=torch.bool), diagonal=number * chunk).logical_not_()
            scores[..., future] = -torch.inf
        scores = torch.exp(scores - scores.amax(-1, keepdim=True))
        scores /= scores.sum(-1, keepdim=True)
        parts.append(scores @ v)
        del scores
    return torch.cat(parts, dim=2)
