# RecallModel: [lists that compete]
import torch
import torch.nn.functional as F
from torch import nn


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.key_table = nn.Embedding(num_keys, dim)
        self.value_table = nn.Embedding(num_values, dim)
        self.readout = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        k = self.key_table(keys)
        q = self.key_table(query).unsqueeze(-1)
        fit = torch.matmul(k, q).squeeze(-1) / k.shape[-1] ** 0.5
        weights = F.softmax(fit, dim=0)
        found = (weights.unsqueeze(-1) * self.value_table(values)).sum(dim=1)
        return self.readout(found)
