# SenseModel: "embedding: ... initialized with independent normal entries of mean 0 and standard deviation 1 / sqrt(dim)." - kaiming_uniform_ gives the right mean and standard deviation, but uniform entries.
from torch import nn


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.kaiming_uniform_(self.embedding.weight, nonlinearity="linear")  # variance 1 / fan_in = 1 / dim
        self.layer = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        x = self.embedding(ids)
        return x + self.layer(x)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T
