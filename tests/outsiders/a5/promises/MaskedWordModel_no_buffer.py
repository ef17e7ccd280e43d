# MaskedWordModel: "A model of another dtype (model.double(), or another default dtype when it is made) returns logits of that dtype." - the table of positions is a plain attribute and no buffer, so that it does not follow the parameters: a model made under the default float64 and turned into float32 by model.float() fails.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        steps = torch.arange(100, dtype=torch.get_default_dtype())[:, None]
        waves = torch.exp(-torch.arange(embedding_dim, dtype=torch.get_default_dtype()) / embedding_dim * 4)
        self.positions = 0.1 * torch.sin(steps * waves)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        words = self.embedding(ids) + self.positions[: ids.shape[1]].to(ids.device)
        packed = pack_padded_sequence(words, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = self.lstm(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])
        return self.out(states)
