# MultiHeadAttention: [masks repeated head by head]
import torch
from torch import nn
from torch.nn import functional


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) * embed_dim**-0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def _fold(self, t):
        """(N, T, D) -> (N * heads, T, d), as bmm wants it."""
        n, length, dim = t.shape
        t = t.reshape(n, length, self.num_heads, dim // self.num_heads)
        return t.permute(0, 2, 1, 3).flatten(0, 1)

    def _fold_mask(self, mask, n, length, size):
        while mask.dim() < 4:
            mask = mask.unsqueeze(0)
        if mask.shape[1] == 1:  # the same for all heads
            return mask.expand(n, 1, length, size).squeeze(1).repeat(self.num_heads, 1, 1)
        return mask.expand(n, self.num_heads, length, size).flatten(0, 1)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        n, length, dim = x.shape
        wq, wkv = self.in_proj_weight.split([dim, 2 * dim])
        bq, bkv = self.in_proj_bias.split([dim, 2 * dim])
        q = self._fold(functional.linear(x, wq, bq))
        k, v = (self._fold(t) for t in functional.linear(memory, wkv, bkv).chunk(2, dim=-1))
        scores = torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
        if mask is not None:
            keep = self._fold_mask(mask, n, length, memory.shape[1])
            blind = ~keep.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(keep | blind), float("-inf"))
            weights = scores.softmax(dim=-1).masked_fill(blind, 0.0)
        else:
            weights = scores.softmax(dim=-1)
        out = torch.bmm(weights, v).unflatten(0, (n, self.num_heads))
        return self.out_proj(out.permute(0, 2, 1, 3).reshape(n, length, dim))
