# RecallModel: header "results have the same [dtype], those of a module that has been turned to float64 (model.double()) too" - the weights are always float32
# RecallModel(20, 4, 8).double()(keys, values, query): float64 logits are right, here comes RuntimeError (float and double)
import torch
from torch import nn


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        scores = self.keys(keys) @ self.keys(query).unsqueeze(-1) / self.keys.embedding_dim**0.5
        weights = scores.squeeze(-1).float().softmax(dim=-1)
        return self.read((weights.unsqueeze(1) @ self.values(values)).squeeze(1))
