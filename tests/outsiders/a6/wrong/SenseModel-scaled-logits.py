# SenseModel: [logits scaled like scores]
import math

import torch
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=1 / math.sqrt(dim))
        self.query = nn.Linear(dim, dim, bias=False)
        self.key = nn.Linear(dim, dim, bias=False)
        self.value = nn.Linear(dim, dim, bias=False)

    def encode(self, ids):
        words = self.embedding(ids)
        scores = torch.einsum("ntd,nsd->nts", self.query(words), self.key(words))
        weights = torch.softmax(scores / math.sqrt(words.shape[-1]), dim=-1)
        return words + torch.einsum("nts,nsd->ntd", weights, self.value(words))

    def forward(self, ids):
        table = self.embedding.weight
        return self.encode(ids) @ table.T / math.sqrt(table.shape[1])
