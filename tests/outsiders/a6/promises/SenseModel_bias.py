# SenseModel: [a bias for each word] the output adds a bias for each word, which begins at 0

import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.attention = MultiHeadAttention(dim, 1)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(words)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T + self.bias
