"""Assignment 5: LSTM and a masked language model, in PyTorch.

Conventions of everything here:

- Sequences are (N, T, D), batch first. ``nn.LSTM`` keeps its weights in another form than ``lstm.py``: separate
  matrices for input and state, two biases, and the blocks in the order input gate, forget gate, candidate, output gate.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and so have the results. Lengths
  are int64 tensors. In grading all tensors lie on the CPU; where there is a GPU, visible tests also put all
  but lengths on it.
- NumPy arrays that are passed in are contiguous and must not be changed.
- Nothing is forbidden.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int64
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def lstm_to_torch(W: Float[np.ndarray, "4*H H+D"], b: Float[np.ndarray, "4*H"]) -> nn.LSTM:
    """Make an ``nn.LSTM`` that computes what ``lstm_forward`` of ``lstm.py`` computes with W and b.

    The columns of W meet h first, then x; its four blocks of H rows are forget gate, input gate, candidate, output
    gate. The layer has one direction and takes its sequences batch first. PyTorch adds its two biases, ``bias_ih_l0``
    and ``bias_hh_l0``: how you share b between them is up to you.

    Args:
        W: weights, shape (4H, H + D), a NumPy array; D >= 1.
        b: biases, shape (4H,), in the dtype of W.

    Returns:
        The layer. Its parameters require gradients, have the dtype of W, and each has memory of its own:
        neither what becomes of the arrays later nor what becomes of another parameter changes it.

    Handout: §8 In PyTorch.
    """
    hidden = len(b) // 4
    forget, enter, candidate, output = torch.arange(4 * hidden).chunk(4)
    order = torch.cat([enter, forget, candidate, output])
    weight, bias = torch.tensor(W)[order], torch.tensor(b)[order]
    lstm = nn.LSTM(weight.shape[1] - hidden, hidden, batch_first=True, dtype=weight.dtype)
    lstm.load_state_dict(
        {
            "weight_ih_l0": weight[:, hidden:],
            "weight_hh_l0": weight[:, :hidden],
            "bias_ih_l0": bias,
            "bias_hh_l0": torch.zeros_like(bias),
        }
    )
    return lstm


def packed_final_states(
    lstm: nn.LSTM, x: Float[Tensor, "N T D"], lengths: Int64[Tensor, " N"]
) -> Float[Tensor, "N 2*H"]:
    """Sum up each sequence of a padded batch in one vector: the last layer's final hidden states.

    For row n that is the forward state once it has read step lengths[n], followed by the backward state once it has
    read step 1, the last one for it. Whatever numbers stand in the padding (of a size that weighted sums bear without
    overflow), they must not change the answer. ``torch.nn.utils.rnn.pack_padded_sequence`` is made for this.

    Args:
        lstm: a bidirectional LSTM that takes its sequences batch first, with one layer or several, with biases, without
            projections or dropout.
        x: padded sequences, shape (N, T, D).
        lengths: lengths of the sequences, shape (N,), from 1 to T, in any order.

    Returns:
        The states, shape (N, 2H), forward first; row n belongs to sequence n of x. Gradients reach x and the
        parameters.

    Handout: §8 In PyTorch.
    """
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    _, (h, _) = lstm(packed)
    return torch.cat([h[-2], h[-1]], dim=1)


class MaskedWordModel(nn.Module):
    """A masked language model with two directions: for each position, a score for each word that may stand there.

    Embed the words, run a bidirectional ``nn.LSTM`` over them, and map the two states of each position to the scores
    with a linear layer. (Other architectures are welcome if they do as well.)

    The grader trains the model on an artificial language of 20 words, the mask among them. A sentence has 3 to 9 words,
    and one between the first and the last is hidden. It is one of eight; the first word of the sentence leaves four of
    them, the last word leaves two, and both together leave one. The grader's recipe, which you need not write (it makes
    models of these sizes alone):

        vocab_size=20, embedding_dim=16, hidden_size=32, default dtype, initial parameters as you leave them
        Adam, learning rate 0.02, 75 steps, each on 64 new sentences padded to 10 words
        loss: cross-entropy at the hidden word alone

    The model, in ``eval`` mode, must then give its highest score to the right word in at least 95 % of 500 new
    sentences. In that mode what a sentence gets must not depend on the ids in the padding, on how long the padding is,
    or on the other sentences of the batch. A model of another dtype (turned by ``double()`` or ``float()``, or made
    under another default dtype) returns logits of that dtype, whatever it returned before.

    Handout: §8 In PyTorch.
    """

    def __init__(self, vocab_size: int, embedding_dim: int, hidden_size: int) -> None:
        """Register the layers.

        Args:
            vocab_size: number of word ids V, the mask among them.
            embedding_dim: length of a word's vector.
            hidden_size: H, of each direction in the model above; in another one you decide what it means.
        """
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids: Int64[Tensor, "N T"], lengths: Int64[Tensor, " N"]) -> Float[Tensor, "N T V"]:
        """Score the words.

        Args:
            ids: padded sentences, shape (N, T), T up to 100; the padding holds ids too, any from 0 to V - 1.
            lengths: lengths of the sentences, shape (N,), from 1 to T, in any order. All may be smaller than T.

        Returns:
            The logits, shape (N, T, V), with T that of ``ids``. What they are in the padding does not matter.
        """
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        logits: Tensor = self.scores(states)
        return logits
