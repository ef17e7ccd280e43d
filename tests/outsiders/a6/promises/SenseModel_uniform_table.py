# SenseModel: "embedding: ``nn.Embedding`` of ``vocab_size`` words in ``dim`` features, initialized with independent normal entries of mean 0 and standard deviation 1 / sqrt(dim)." - the entries are uniform, with the right standard deviation
# Differs: SenseModel(200, 16).embedding.weight: no entry beyond sqrt(3) / 4 = 0.433, where a normal table has about 8 % beyond.
import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.kaiming_uniform_(self.embedding.weight, nonlinearity="linear")  # std 1 / sqrt(dim)
        self.attention = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        x = self.embedding(ids)
        return x + self.attention(x)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T
