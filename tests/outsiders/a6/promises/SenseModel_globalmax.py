# SenseModel: "those of a sequence do not depend on the others of its batch" - its softmax subtracts the largest score of all
import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))

    def encode(self, ids):
        x = self.embedding(ids)
        s = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        e = torch.exp(s - s.max())
        return x + e / e.sum(-1, keepdim=True) @ self.v(x)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T
