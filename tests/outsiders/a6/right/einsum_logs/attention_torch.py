"""einsum throughout; a softmax out of exp, sum and division; online softmax over blocks of keys."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads, self.d = num_heads, embed_dim // num_heads
        self.register_parameter("in_proj_weight", nn.Parameter(torch.rand(3 * embed_dim, embed_dim).sub_(0.5).div_(2)))
        self.register_parameter("in_proj_bias", nn.Parameter(torch.rand(3 * embed_dim).sub_(0.5).div_(10)))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        wq, wk, wv = self.in_proj_weight.reshape(3, self.num_heads, self.d, -1)
        bq, bk, bv = self.in_proj_bias.reshape(3, self.num_heads, 1, self.d)
        q = torch.einsum("ntj,hij->nhti", x, wq) + bq
        k = torch.einsum("nsj,hij->nhsi", memory, wk) + bk
        v = torch.einsum("nsj,hij->nhsi", memory, wv) + bv
        scores = torch.einsum("nhti,nhsi->nhts", q, k) / self.d**0.5
        keep = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
        top = scores.detach().masked_fill(~keep, -torch.inf).amax(-1, keepdim=True)
        top = top.masked_fill(top == -torch.inf, 0.0)
        exps = torch.where(keep, scores - top, -torch.inf).exp()
        total = exps.sum(-1, keepdim=True)
        weights = exps / (total + (total == 0))
        return self.out_proj(torch.einsum("nhts,nhsi->nthi", weights, v).reshape(x.shape))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(torch.randn(vocab_size, dim) / dim**0.5, freeze=False)
        self.layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)

    def encode(self, ids):
        return self.layer(self.embedding(ids))

    def forward(self, ids):
        return torch.einsum("ntd,wd->ntw", self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    """The values are averaged as one-hot vectors: what is read is the weight that each value has gathered."""

    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.table = nn.Embedding(num_keys, dim)
        self.query = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(num_values, num_values)
        self.num_values = num_values

    def forward(self, keys, values, query):
        asked = self.table(query)
        scores = torch.einsum("nsd,nd->ns", self.table(keys), asked + self.query(asked)) / asked.shape[1] ** 0.5
        gathered = scores.new_zeros(len(keys), self.num_values).scatter_add(1, values, scores.softmax(1))
        return self.out(gathered)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T, scale = q.shape[2], q.shape[3] ** -0.5
    out = torch.empty(*q.shape[:3], v.shape[3], dtype=v.dtype, device=v.device)
    for a in range(0, T, chunk):
        queries = q[:, :, a : a + chunk] * scale
        rows = torch.arange(a, a + queries.shape[2], device=q.device).unsqueeze(1)
        top = torch.full_like(queries[..., :1], -torch.inf)
        total = torch.zeros_like(top)
        mixed = torch.zeros_like(out[:, :, a : a + chunk])
        for b in range(0, a + queries.shape[2] if is_causal else T, chunk):
            scores = torch.einsum("nhtd,nhsd->nhts", queries, k[:, :, b : b + chunk])
            if is_causal:
                columns = torch.arange(b, b + scores.shape[3], device=q.device)
                scores = scores.masked_fill(columns > rows, -torch.inf)
            higher = torch.maximum(top, scores.amax(-1, keepdim=True))
            shrink, exps = (top - higher).exp(), (scores - higher).exp()
            total = total * shrink + exps.sum(-1, keepdim=True)
            mixed = mixed * shrink + exps @ v[:, :, b : b + chunk]
            top = higher
        out[:, :, a : a + chunk] = mixed / total
    return out
