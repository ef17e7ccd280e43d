# MaskedWordModel: "A model of another dtype (model.double(), ...) returns logits of that dtype" - initial states in the default dtype
# model.double()(ids, lengths): float64 logits, here an error
import torch
from torch import nn


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size: int, embedding_dim: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        N, T = ids.shape
        start = torch.zeros(2, N, self.hidden_size, device=ids.device)
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        states, _ = self.lstm(packed, (start, start))
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=T)
        return self.score(states)
