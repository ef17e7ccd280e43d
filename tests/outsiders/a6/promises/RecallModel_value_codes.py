# RecallModel: "the value of each key, shape (N, S), int64." - codes are as wide as the largest value that occurs, not as num_values
import torch
from torch import nn
from torch.nn import functional as F


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.read = nn.Linear(num_values, num_values)

    def forward(self, keys, values, query):
        s = (self.keys(keys) @ self.keys(query)[:, :, None])[:, :, 0] / self.keys.embedding_dim**0.5
        codes = F.one_hot(values).to(s.dtype)
        return self.read((s.softmax(1)[:, None] @ codes)[:, 0])
