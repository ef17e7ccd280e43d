"""Assignment 6: self-attention as retrieval, in PyTorch.

Conventions of everything here:

- Sequences are (N, T, D), split into heads (N, heads, T, d). Masks are boolean, and True means that a query may attend
  to a key.
- Autograd computes the gradients, so write every step with differentiable tensor operations.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- Scores, masked ones too, are finite and lie between -1e6 and 1e6. Values are compared as in ``attention.py``.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; results
  have the same, those of a module that has been turned to float64 (``model.double()``) too.
- ``F`` is ``torch.nn.functional``; import it where you use it.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Multi-head attention, a replacement for ``nn.MultiheadAttention`` with its parameter names.

    It computes what ``multi_head_attention`` of the first part does. The projections take D = ``embed_dim`` features
    to D, and the heads share them out, d = D / ``num_heads`` neighbouring ones each. The scale is 1 / sqrt(d).

    Attributes:
        in_proj_weight: ``nn.Parameter``, shape (3 * D, D): rows of the queries, then the keys, then the values.
        in_proj_bias: ``nn.Parameter``, shape (3 * D,).
        out_proj: ``nn.Linear`` from D to D.

    The state dictionary holds ``in_proj_weight``, ``in_proj_bias``, ``out_proj.weight`` and ``out_proj.bias`` and
    nothing else.

    Forbidden: nn.*Attention*, nn.attention, nn.Transformer*, F.*attention*, torch.*attention*
    (* stands for any letters).
    Handout: §11 In PyTorch.
    """

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        """Register the parameters in the default dtype, with initial values of your choice: random weights of standard
        deviation 1 / sqrt(embed_dim) and biases of 0 will do.

        Args:
            embed_dim: features D of a token.
            num_heads: number of heads, >= 1; it divides D.
        """
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(embed_dim**-0.5 * torch.randn(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(
        self,
        x: Float[Tensor, "N T D"],
        memory: Float[Tensor, "N S D"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "N T D"]:
        """Attend to the memory, or to x itself without one.

        Args:
            x: tokens that the queries come from, shape (N, T, D).
            memory: tokens that keys and values come from, shape (N, S, D); None stands for x.
            mask: True where a query may attend to a key; any shape that broadcasts to (N, heads, T, S). A query that
                sees nothing retrieves zeros, so its y is ``out_proj.bias``; no gradient becomes NaN through it.

        Returns:
            y, shape (N, T, D).
        """
        memory = x if memory is None else memory
        weights, biases = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q, k, v = (
            F.linear(source, weight, bias).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for source, weight, bias in zip((x, memory, memory), weights, biases, strict=True)
        )
        scores = q.shape[-1] ** -0.5 * (q @ k.transpose(-1, -2))
        if mask is None:
            attention = scores.softmax(dim=-1)
        else:  # the lowest number instead of -inf: a row of -inf would have NaN for gradients
            lowest = torch.finfo(scores.dtype).min
            attention = scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0)
        return self.out_proj((attention @ v).transpose(1, 2).flatten(2))


class SenseModel(nn.Module):
    """A masked language model of one attention layer, in which context moves a word towards the sense it has there.

    ``encode`` makes vectors in context of word numbers: it looks the words up in ``embedding``, and lets one layer of
    self-attention exchange what they know. Calling the model compares each vector in context with the vector of every
    word. Input and output share one table (they are tied), so that a word in context can be compared with words:

        logits[n, t, w] = encode(ids)[n, t] . embedding.weight[w]

    How the layer is built is yours to choose: with learned queries, keys and values it works with one head or several,
    with or without positions, biases, an output projection, a residual connection or layer normalization. It has to
    take sequences of any length up to 16, in batches of any size from 1 on.

    What the grader does with it: it draws 1000 sentences (``draw_sentences`` in ``provided.py``) and makes 300 steps
    with Adam, learning rate 0.01, on 64 of them each, dim = 32: the nouns are hidden by ``hide_nouns``, and the loss is
    the cross-entropy of the logits in the noun's place. Then, in evaluation mode, it puts "apple" after verbs of eating
    and after verbs of technology, with the word in plain sight, and measures the gain that ``sense_shift`` measures,
    from the row of "apple" in the table to its vector in context, with the mean vector of the three fruits for a and
    that of the three devices for b. Eating must win by more than 0.6. (Correct models reach 0.9 and more. Without
    learned projections, when q, k and v all are the embedding, it is less than 0.1.) When it is graded, the words of
    the two senses are drawn anew, and "phone" may be something to peel. So the model has to learn them from the
    sentences. Logits and vectors are compared in evaluation mode as well.

    Attributes:
        embedding: ``nn.Embedding`` of ``vocab_size`` words in ``dim`` features, initialized with independent normal
            entries of mean 0 and standard deviation 1 / sqrt(dim).

    Allowed: your ``MultiHeadAttention``, and everything else that PyTorch offers.
    Handout: §12 Senses, learned.
    """

    def __init__(self, vocab_size: int, dim: int) -> None:
        """Register the parameters.

        Args:
            vocab_size: number of words.
            dim: features of a word, divisible by 4.
        """
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.attention = MultiHeadAttention(dim, num_heads=1)

    def encode(self, ids: Int64[Tensor, "N T"]) -> Float[Tensor, "N T dim"]:
        """Vectors of words in context. In evaluation mode those of a sequence do not depend on the others of its batch.

        Args:
            ids: word numbers, shape (N, T), int64.

        Returns:
            The vectors, shape (N, T, dim).
        """
        x = self.embedding(ids)
        return x + self.attention(x)

    def forward(self, ids: Int64[Tensor, "N T"]) -> Float[Tensor, "N T vocab_size"]:
        """Which word might stand in each place.

        Args:
            ids: word numbers, shape (N, T), int64.

        Returns:
            The logits, shape (N, T, vocab_size).
        """
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    """Look up the value of a key in a list of pairs, by attention: the task that a fixed-size memory fails.

    The key asked for is compared with every key of the list, and the values are averaged by how well their keys fit.
    Nothing else connects the pairs. So in evaluation mode a list's logits do not depend on the other lists of the
    batch, nor on the order of its pairs (but for rounding errors). And since what was learnt on short lists is how to
    look up, and not what stands where, the model works on lists that are longer than any it was trained on.

    How the model is built is yours to choose; what follows is advice. The query is one of the keys. Look both up in one
    table: with two, the model would have to learn for every single key that its two vectors mean the same, and the
    training is too short for that. Leave the tables the initial values that ``nn.Embedding`` gives them (standard
    deviation 1): far smaller ones would have to grow first. Learned queries, keys and values work, and so does
    comparing the key vectors as they are.

    What the grader does with it: it makes 300 steps with Adam, learning rate 0.01, each on 64 new lists of 64 pairs
    (``draw_lists`` in ``provided.py``), with 2048 keys, 8 values and dim = 48; the loss is the cross-entropy of the
    logits. Then, in evaluation mode, it asks for one key in each of 200 lists of 1024 pairs: more than 70 % of the
    answers must be right. (Correct models reach 87 to 100 %; guessing gives 12.5 %.)

    Allowed: everything that PyTorch offers; your ``MultiHeadAttention`` is not needed.
    Handout: §13 Recall.
    """

    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        """Register the parameters.

        Args:
            num_keys: number of different keys.
            num_values: number of different values.
            dim: features of a key or value, divisible by 4.
        """
        super().__init__()
        self.key = nn.Embedding(num_keys, dim)
        self.value = nn.Embedding(num_values, dim)
        self.readout = nn.Linear(dim, num_values)

    def forward(
        self, keys: Int64[Tensor, "N S"], values: Int64[Tensor, "N S"], query: Int64[Tensor, " N"]
    ) -> Float[Tensor, "N num_values"]:
        """Which value belongs to the query.

        Args:
            keys: the keys of each list, all different, shape (N, S), int64.
            values: the value of each key, shape (N, S), int64.
            query: the key that is asked for, shape (N,), int64.

        Returns:
            The logits, shape (N, num_values).
        """
        k = self.key(keys)
        scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) * k.shape[-1] ** -0.5
        weights = scores.softmax(dim=1)
        return self.readout((weights.unsqueeze(1) @ self.value(values)).squeeze(1))


def chunked_attention(
    q: Float[Tensor, "N heads T d"],
    k: Float[Tensor, "N heads T d"],
    v: Float[Tensor, "N heads T e"],
    *,
    chunk: int,
    is_causal: bool = False,
) -> Float[Tensor, "N heads T e"]:
    """Bonus: scaled dot-product attention that never holds all T x T weights.

    The values are those of ``F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)``, also for scores from -1e4
    to 1e4, whose exponentials overflow or are all 0.

    For long sequences the T x T matrices of scores and weights are what fills the memory. A query's weights are needed
    only once, so take ``chunk`` queries at a time and let go of their weights before the next ones: the memory grows
    with T * chunk.

    Memory is graded in calls with T = 32 * chunk, chunks of 8 queries or more, and d and e of at most 8 (values also in
    others): what the call holds at its peak, its arguments not counted, takes fewer bytes than N * heads * T * T / 2
    numbers of their dtype, half of a T x T matrix for every head of every sequence. (The plain form holds two matrices
    for each at least.)

    Args:
        q: queries, shape (N, heads, T, d); no gradient is asked for.
        k: keys, shape (N, heads, T, d).
        v: values, shape (N, heads, T, e).
        chunk: number of queries that are treated together, >= 1; it need not divide T, and may be larger.
        is_causal: whether query i sees only keys j <= i.

    Returns:
        The outputs, shape (N, heads, T, e).

    Forbidden: nn.*Attention*, nn.attention, nn.Transformer*, F.*attention*, torch.*attention*
    (* stands for any letters).
    Handout: §14 Memory.
    """
    T = q.shape[-2]
    out = v.new_empty(*q.shape[:-1], v.shape[-1])
    for start in range(0, T, chunk):
        stop = min(start + chunk, T)
        seen = stop if is_causal else T
        scores = q.shape[-1] ** -0.5 * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, -2))
        if is_causal:
            hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop, device=q.device)[:, None]
            scores.masked_fill_(hidden, float("-inf"))
        out[..., start:stop, :] = scores.softmax(dim=-1) @ v[..., :seen, :]
    return out
