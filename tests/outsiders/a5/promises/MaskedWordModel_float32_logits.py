# MaskedWordModel: "The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; results have the same." - the logits are written into a tensor of zeros of the default dtype
# Differs: MaskedWordModel(20, 16, 32).double() returns float32 logits.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.linear = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        out, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        logits = torch.zeros(*ids.shape, self.vocab_size, device=ids.device)
        logits[:, : out.shape[1]] = self.linear(out)
        return logits
