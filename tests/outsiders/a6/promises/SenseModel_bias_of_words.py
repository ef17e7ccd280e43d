# SenseModel: "logits[n, t, w] = encode(ids)[n, t] . embedding.weight[w]" - as in BERT, a learned bias for each word is added to the logits: it is 0 at the beginning, and no longer so after training.
import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.layer = MultiHeadAttention(dim, 2)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def encode(self, ids):
        x = self.embedding(ids)
        return x + self.layer(x)

    def forward(self, ids):
        return nn.functional.linear(self.encode(ids), self.embedding.weight, self.bias)
