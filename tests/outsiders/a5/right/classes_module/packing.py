"""My own module: a recurrent layer behind a coat of packing. PyTorch only, for lstm_torch.py."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


def pack(x: Tensor, lengths: Tensor) -> PackedSequence:
    return pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)


class Packed(nn.Module):
    def __init__(self, layer: nn.RNNBase) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        packed, _ = self.layer(pack(x, lengths))
        return pad_packed_sequence(packed, batch_first=True, total_length=x.size(1))[0]
