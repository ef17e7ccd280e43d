# RecallModel: "values: the value of each key, shape (N, S)." - int32 ids too, as the annotation Int says: one_hot takes int64 and nothing else
# Differs: keys, values, query as int32 tensors (nn.Embedding takes them): right logits, here RuntimeError.
import torch
from torch import nn
from torch.nn import functional as F


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.num_values = num_values
        self.keys = nn.Embedding(num_keys, dim)
        self.read = nn.Linear(num_values, num_values)

    def forward(self, keys, values, query):
        scores = (self.keys(keys) @ self.keys(query)[:, :, None])[:, :, 0]
        weights = torch.softmax(scores, dim=1)
        found = weights[:, None] @ F.one_hot(values, self.num_values).to(weights.dtype)
        return self.read(found[:, 0])
