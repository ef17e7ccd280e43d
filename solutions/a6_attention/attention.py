"""Assignment 6: self-attention as retrieval, in NumPy.

Conventions of every function here:

- Sequences are (N, T, D): batch, time, features. Split into heads they are (N, heads, T, d), with d = D / heads. T
  counts the queries and S the keys; every key has one value.
- Masks are boolean, and True means keep: this query may attend to this key. (``nn.MultiheadAttention`` means the
  opposite.) A mask broadcasts to the scores, so axes of length 1 and missing leading axes repeat.
- The floating arrays of one call have one dtype, float32 or float64, and so have the results, unless a docstring says
  otherwise.
- Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed. They are in the
  machine's byte order. What is returned may be a new array or a view of an argument, and may be read-only.
- An answer depends on the arguments of its own call alone, and not on those of earlier calls, nor on what has been
  written into their answers since; later calls must not change it. An array that you have seen before may hold other
  numbers by now.
- Numbers in arrays are finite, and no axis has length 0, unless a docstring says otherwise.
- Scores, masked ones too, are finite and lie between -1e6 and 1e6 in every function.
- Numbers, such as ``scale`` or ``temperature``, come as Python numbers. (A float32 array divided by a Python ``float``
  stays float32, divided by ``np.sqrt(d)``, an ``np.float64``, it becomes float64.) A single number is returned as a
  Python number; a NumPy scalar passes too.
- An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise. In weights, and in their differences such as p - p^2, rounding errors of numbers near 1 pass
  as well (1e-15, in float32 1e-6), however small they are: the formulas may be taken literally. Whole numbers and truth
  values must be exact.
- "Uses your ``f``" says what helps here; nobody asks whether you call it, and other functions of yours may be called
  too. A mistake in what you call then shows here as well.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed. (SciPy and PyTorch cannot be imported where this file is graded.)

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float, Integer, Shaped

Cache = tuple[Float[np.ndarray, "N heads S d"], Float[np.ndarray, "N heads S e"]]


def _cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Cosine of the angle between two vectors; 0 if one of them has no direction."""
    lengths = np.linalg.norm(u) * np.linalg.norm(v)
    return float(u @ v / lengths) if lengths else 0.0


def masked_softmax(
    scores: Float[np.ndarray, "*axes S"], mask: Bool[np.ndarray, "..."] | None = None
) -> Float[np.ndarray, "*axes S"]:
    """Turn the scores along the last axis into weights that sum to 1, over the kept ones only.

        weights[..., j] = exp(scores[..., j]) / sum over kept k of exp(scores[..., k])    where j is kept, else 0

    What is masked has weight exactly 0, however large its score is, and takes nothing from the others. No rounding
    error passes there, not even 1e-40. A row in which nothing is kept has weights 0 throughout, and so sums to 0.

    Scores reach from -1e6 to 1e6, also in one row, where ``np.exp`` of them overflows or is 0 everywhere. The weights
    stay finite and right all the same: adding a constant to a row does not change its weights.

    Args:
        scores: shape (..., S), S >= 1, any number of leading axes (also none).
        mask: True where a score is kept; any shape that broadcasts to that of the scores. None keeps everything.

    Returns:
        The weights, of the shape and dtype of the scores.

    Forbidden: scipy.
    Handout: §2 Softmax.
    """
    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    largest = kept.max(axis=-1, keepdims=True)
    exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)


def attention_scores(
    q: Float[np.ndarray, "*axes T d"], k: Float[np.ndarray, "*axes S d"], *, scale: float | None = None
) -> Float[np.ndarray, "*axes T S"]:
    """Compare every query with every key by their dot product.

        scores[..., i, j] = scale * (q[..., i, :] . k[..., j, :])

    For independent components of variance 1 a dot product over d of them has variance d. The usual scale, 1 / sqrt(d),
    brings it back to 1, so that the softmax does not begin with one weight near 1 and all others near 0, where its
    derivatives are near 0.

    Args:
        q: queries, shape (..., T, d), any number of leading axes (also none).
        k: keys, shape (..., S, d), with the same leading axes.
        scale: factor of the dot products; None stands for 1 / sqrt(d). Any number is allowed, 0, negative and
            whole ones too.

    Returns:
        The scores, shape (..., T, S).

    Handout: §1 Retrieval.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    return scale * (q @ k.swapaxes(-1, -2))


def causal_mask(T: int, S: int | None = None) -> Bool[np.ndarray, "T S"]:
    """Mask that lets every token see itself and what came before.

    The T queries are the last T of S tokens, so query i stands at position i + S - T, and

        mask[i, j] = j <= i + S - T

    For T = 2 and S = 4, with 1 for True:

        1 1 1 0
        1 1 1 1

    The corner of the triangle lies at the bottom right. (``is_causal=True`` in PyTorch's
    ``F.scaled_dot_product_attention`` puts it at the top left; for T = S there is no difference.) If there are more
    queries than keys, the first T - S of them see nothing.

    Args:
        T: number of queries, >= 1.
        S: number of keys, >= 1; None stands for T.

    Returns:
        The mask, shape (T, S), dtype bool, True where query i may attend to key j.

    Handout: §4 Masks.
    """
    S = T if S is None else S
    return np.tri(T, S, S - T, dtype=bool)


def padding_mask(lengths: Integer[np.ndarray, " N"], S: int) -> Bool[np.ndarray, "N 1 1 S"]:
    """Mask that hides the padding behind sequences of unequal lengths, as keys.

        mask[n, 0, 0, j] = j < lengths[n]

    The two axes of length 1 stand for heads and queries: the padding of a sequence is hidden from all of them alike.
    For lengths 2 and 0 and S = 3, with 1 for True, the rows are 1 1 0 and 0 0 0.

    Args:
        lengths: number of real tokens of each sequence, shape (N,), each from 0 to S, integers of any size, with or
            without sign.
        S: number of keys, padding included.

    Returns:
        The mask, shape (N, 1, 1, S), dtype bool, True for real tokens.

    Handout: §4 Masks.
    """
    return np.arange(S) < lengths[:, None, None, None]


def scaled_dot_product_attention(
    q: Float[np.ndarray, "*axes T d"],
    k: Float[np.ndarray, "*axes S d"],
    v: Float[np.ndarray, "*axes S e"],
    mask: Bool[np.ndarray, "..."] | None = None,
    *,
    scale: float | None = None,
) -> tuple[Float[np.ndarray, "*axes T e"], Float[np.ndarray, "*axes T S"]]:
    """Retrieve: compare queries with keys, and average the values by how well their keys fit.

        weights = masked_softmax(scale * q k^T, mask)        along the keys
        out[..., i, :] = sum over j of weights[..., i, j] * v[..., j, :]

    A query that may attend to no key at all receives zeros, in out and weights.

    Args:
        q: queries, shape (..., T, d), any number of leading axes (also none); usually (N, heads, T, d).
        k: keys, shape (..., S, d), with the same leading axes.
        v: values, shape (..., S, e), with the same leading axes; e may differ from d.
        mask: True where a query may attend to a key; any shape that broadcasts to (..., T, S). None for everywhere.
        scale: factor of the dot products, any number, as in ``attention_scores``; None stands for 1 / sqrt(d).

    Returns:
        (out, weights), shapes (..., T, e) and (..., T, S).

    Uses your ``attention_scores`` and ``masked_softmax``.
    Forbidden: scipy.
    Handout: §3 Scaled dot-product attention.
    """
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
    return weights @ v, weights


def scaled_dot_product_attention_backward(
    dout: Float[np.ndarray, "*axes T e"],
    q: Float[np.ndarray, "*axes T d"],
    k: Float[np.ndarray, "*axes S d"],
    v: Float[np.ndarray, "*axes S e"],
    weights: Float[np.ndarray, "*axes T S"],
    *,
    scale: float | None = None,
) -> tuple[Float[np.ndarray, "*axes T d"], Float[np.ndarray, "*axes S d"], Float[np.ndarray, "*axes S e"]]:
    """Backward pass of ``scaled_dot_product_attention``: from dL/dout to the gradients of queries, keys and values.

    The weights come from the forward pass of the same q, k and scale, and of the same mask: they are 0 wherever it
    hid a key, which is all that has to be known of it. The chain goes from out to weights and values, from weights
    through the softmax to scores, from scores to queries and keys. Derive it before you write it.

    Args:
        dout: gradient of the loss with respect to out, shape (..., T, e), any number of leading axes (also none), the
            same ones in all arrays.
        q: queries, shape (..., T, d).
        k: keys, shape (..., S, d).
        v: values, shape (..., S, e).
        weights: as ``scaled_dot_product_attention`` returned them, shape (..., T, S); rows sum to 1, or to 0 where
            nothing was seen.
        scale: the factor of the forward pass, any number; None stands for 1 / sqrt(d).

    Returns:
        (dq, dk, dv), of the shapes of q, k and v. Where nothing was seen they are 0, never NaN.

    Handout: §5 The backward pass.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dv = weights.swapaxes(-1, -2) @ dout
    dweights = dout @ v.swapaxes(-1, -2)
    dscores = weights * (dweights - (weights * dweights).sum(axis=-1, keepdims=True))
    dq = scale * (dscores @ k)
    dk = scale * (dscores.swapaxes(-1, -2) @ q)
    return dq, dk, dv


def softmax_jacobian(p: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n n"]:
    """Write down how weights depend on scores: all derivatives of a softmax at once.

        J[i, j] = d p[i] / d scores[j]    where p = softmax(scores)

    The scores are not needed: J can be expressed by p alone. It is symmetric, and its rows sum to 0. For p = 0.5, 0.5
    it is

         0.25 -0.25
        -0.25  0.25

    The backward pass never builds this matrix; it multiplies by it.

    Args:
        p: the weights, shape (n,), not negative, with sum 1.

    Returns:
        J, shape (n, n).

    Handout: §5 The backward pass.
    """
    return np.diag(p) - np.outer(p, p)


def project_qkv(
    x: Float[np.ndarray, "N T D"], weight: Float[np.ndarray, "3*D D"], bias: Float[np.ndarray, " 3*D"]
) -> tuple[Float[np.ndarray, "N T D"], Float[np.ndarray, "N T D"], Float[np.ndarray, "N T D"]]:
    """Give every token its query, its key and its value: three linear layers in one matrix.

    The first D rows of ``weight`` and the first D entries of ``bias`` belong to the queries, the next D to the keys,
    the last D to the values. Each is a linear layer in PyTorch's layout, one row of the matrix for each output:

        query[n, t, i] = bias[i] + sum over j of x[n, t, j] * weight[i, j]

    Args:
        x: tokens, shape (N, T, D).
        weight: shape (3 * D, D).
        bias: shape (3 * D,).

    Returns:
        (q, k, v), each of shape (N, T, D).

    Handout: §6 Several heads.
    """
    q, k, v = np.split(x @ weight.T + bias, 3, axis=-1)
    return q, k, v


def split_heads(x: Shaped[np.ndarray, "N T D"], num_heads: int) -> Shaped[np.ndarray, "N heads T d"]:
    """Divide the features of every token among the heads, d = D / num_heads neighbouring ones for each.

        result[n, h, t, i] = x[n, t, h * d + i]

    Args:
        x: shape (N, T, D), float32 or float64 (infinities and NaN too), truth values, or integers of any dtype, none
            beyond 2**53.
        num_heads: number of heads, >= 1.

    Returns:
        The same numbers, shape (N, num_heads, T, d); keeps the dtype.

    Raises:
        ValueError: D is not divisible by the number of heads.

    Handout: §6 Several heads.
    """
    N, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"{D} features cannot be divided among {num_heads} heads")
    return x.reshape(N, T, num_heads, -1).swapaxes(1, 2)


def merge_heads(x: Shaped[np.ndarray, "N heads T d"]) -> Shaped[np.ndarray, "N T D"]:
    """Put the features of all heads side by side again, D = heads * d: the inverse of ``split_heads``.

    Args:
        x: shape (N, heads, T, d), float32 or float64 (infinities and NaN too), truth values, or integers of any dtype,
            none beyond 2**53.

    Returns:
        The same numbers, shape (N, T, D); keeps the dtype.

    Handout: §6 Several heads.
    """
    N, _, T, _ = x.shape
    return x.swapaxes(1, 2).reshape(N, T, -1)


def multi_head_attention(
    x: Float[np.ndarray, "N T D"],
    params: dict[str, Float[np.ndarray, "..."]],
    num_heads: int,
    *,
    memory: Float[np.ndarray, "N S D"] | None = None,
    mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[np.ndarray, "N T D"], Float[np.ndarray, "N heads T S"]]:
    """Multi-head attention: several retrievals side by side, each in d = D / num_heads features of its own.

    Every token is projected to query, key and value (``project_qkv``); these are split into heads; every head attends
    for itself, with the scale 1 / sqrt(d), d the features of one head; the heads are merged; and a last linear layer
    mixes them:

        y = merged @ out_proj.weight^T + out_proj.bias

    Without a memory the queries, keys and values all come from x: self-attention, S = T. With a memory the queries
    come from x, and the keys and values from the memory: cross-attention.

    The parameters have the names and layouts of ``nn.MultiheadAttention``:

        in_proj_weight (3 * D, D), in_proj_bias (3 * D,), out_proj.weight (D, D), out_proj.bias (D,)

    Args:
        x: tokens, shape (N, T, D).
        params: the four arrays above and no others, by name: their order in the dictionary says nothing.
        num_heads: number of heads, >= 1; it divides D.
        memory: tokens that are searched instead of x, shape (N, S, D).
        mask: True where a query may attend to a key; any shape that broadcasts to (N, heads, T, S). A query that sees
            nothing retrieves zeros, so its y is ``out_proj.bias``.

    Returns:
        (y, weights), shapes (N, T, D) and (N, heads, T, S): the weights of every head, not their mean.

    Uses your ``project_qkv``, ``split_heads``, ``scaled_dot_product_attention`` and ``merge_heads``.
    Forbidden: scipy.
    Handout: §6 Several heads.
    """
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q, k, v = project_qkv(x, weight, bias)
    if memory is not None:
        _, k, v = project_qkv(memory, weight, bias)
    q, k, v = (split_heads(a, num_heads) for a in (q, k, v))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"], weights


def multi_head_attention_backward(
    dy: Float[np.ndarray, "N T D"],
    x: Float[np.ndarray, "N T D"],
    params: dict[str, Float[np.ndarray, "..."]],
    num_heads: int,
    *,
    mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[np.ndarray, "N T D"], dict[str, Float[np.ndarray, "..."]]]:
    """Backward pass of ``multi_head_attention`` without a memory: from dL/dy to the gradients of x and the parameters.

    Nothing is handed over from the forward pass: compute again what you need of it. A token is query, key and value
    at once, and its gradient comes from all three.

    Args:
        dy: gradient of the loss with respect to y, shape (N, T, D).
        x: tokens, shape (N, T, D).
        params: the four arrays of ``multi_head_attention``, by name as there.
        num_heads: number of heads, >= 1; it divides D.
        mask: as in the forward pass.

    Returns:
        (dx, grads): dx has the shape of x; grads has the keys of params, and each entry the shape of its parameter.
        Where a query sees nothing in a head, no gradient flows through that head for it, and none is NaN. Its dy counts
        in the gradient of ``out_proj.bias`` all the same.

    Uses your ``scaled_dot_product_attention_backward`` and what ``multi_head_attention`` uses.
    Forbidden: scipy.
    Handout: §7 The backward pass of many heads.
    """
    qkv = project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])
    q, k, v = (split_heads(a, num_heads) for a in qkv)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    dout = split_heads(dy @ params["out_proj.weight"], num_heads)
    gradients = scaled_dot_product_attention_backward(dout, q, k, v, weights)
    dqkv = np.concatenate([merge_heads(gradient) for gradient in gradients], axis=-1)
    grads = {
        "in_proj_weight": np.einsum("nti,ntj->ij", dqkv, x),
        "in_proj_bias": dqkv.sum(axis=(0, 1)),
        "out_proj.weight": np.einsum("nti,ntj->ij", dy, merge_heads(out)),
        "out_proj.bias": dy.sum(axis=(0, 1)),
    }
    return dqkv @ params["in_proj_weight"], grads


def sinusoidal_positions(T: int, D: int, base: float = 10000.0) -> Float[np.ndarray, "T D"]:
    """Describe every position by D numbers between -1 and 1, which are added to its token.

        angle[t, i] = t * base ** (-2 * i / D)          t = 0, ..., T - 1, i = 0, ..., D / 2 - 1
        result[t, 2 * i]     = sin(angle[t, i])
        result[t, 2 * i + 1] = cos(angle[t, i])

    Sine and cosine of one frequency stand side by side. The first angle grows by 1 radian a step, and each further one
    more slowly by the same factor.

    Args:
        T: number of positions, from 1 to 10000.
        D: number of features, from 2 to 1000.
        base: sets how slow the last angles are, > 1: one with i = D / 2 would grow by 1 / base a step.

    Returns:
        The positions, shape (T, D), float64.

    Raises:
        ValueError: D is odd.

    Handout: §8 Positions.
    """
    if D % 2:
        raise ValueError(f"sines and cosines come in pairs, and {D} is odd")
    angles = np.outer(np.arange(T), base ** (-np.arange(0, D, 2) / D))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)


def permutation_error(
    layer: Callable[[Float[np.ndarray, "N T D"]], Float[np.ndarray, "N T E"]],
    x: Float[np.ndarray, "N T D"],
    permutation: Integer[np.ndarray, " T"],
) -> float:
    """Measure whether a layer cares about the order of the tokens.

        max |layer(x[:, permutation]) - layer(x)[:, permutation]|    over all sequences, tokens, features

    It is 0, up to rounding errors, for a layer that treats a sequence as a set: permuting its input only permutes its
    output. Self-attention without positions and without a causal mask does so. Small is not 0, though: where outputs
    near 1 differ by 1e-6, the answer is 1e-6. (Outputs lie between -10 and 10; where they differ by rounding errors
    alone, an answer below 1e-12, in float32 below 1e-5, is right.)

    The layer takes an array of the shape of x, with as many sequences (each may be treated in another way, by its mask,
    say), and does not write into it, but may return it. It keeps the order of its outputs' first two axes, and is
    deterministic.

    Args:
        layer: the function to be measured.
        x: tokens, shape (N, T, D).
        permutation: where each token comes from, shape (T,), every one of 0, ..., T - 1 once, integers of any size,
            with or without sign.

    Returns:
        The largest difference, a Python float.

    Handout: §8 Positions.
    """
    return float(np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max())


def incremental_attention(
    q: Float[np.ndarray, "N heads L d"],
    k: Float[np.ndarray, "N heads L d"],
    v: Float[np.ndarray, "N heads L e"],
    cache: Cache | None = None,
) -> tuple[Float[np.ndarray, "N heads L e"], Cache]:
    """Causal self-attention for the next L tokens of a sequence, with the keys and values of all earlier ones at hand.

    Who generates text computes one token after another. What came before does not change any more, so its keys and
    values are kept in a cache and never computed again. Each new token attends to everything in the cache, to the new
    tokens before it, and to itself, with the scale 1 / sqrt(d). However a sequence is cut into pieces, the outputs
    together are those of one causal pass over the whole.

    Args:
        q: queries of the new tokens, shape (N, heads, L, d), L >= 1.
        k: their keys, shape (N, heads, L, d).
        v: their values, shape (N, heads, L, e).
        cache: (keys, values) of the S earlier tokens, shapes (N, heads, S, d) and (N, heads, S, e), as an earlier call
            returned them; None at the beginning. The arrays are never written to, nor are those that were returned:
            a search with several candidates continues one cache in several ways.

    Returns:
        (out, (keys, values)): out of shape (N, heads, L, e), and the cache with the new tokens at its end, S + L in
        all.

    Uses your ``causal_mask`` and ``scaled_dot_product_attention``.
    Forbidden: scipy.
    Handout: §9 The cache.
    """
    if cache is not None:
        k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v), strict=True))
    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return out, (k, v)


def retrieve(
    query: Float[np.ndarray, " d"],
    keys: Float[np.ndarray, "S d"],
    values: Float[np.ndarray, "S e"],
    *,
    temperature: float = 1.0,
) -> tuple[Float[np.ndarray, " e"], Float[np.ndarray, " S"]]:
    """Look something up in a dictionary whose every entry counts, the more the better its key fits.

        weights = softmax(keys @ query / temperature)
        value = sum over s of weights[s] * values[s]

    A low temperature comes close to the lookup that Python's dictionaries do, which takes the best entry alone; a high
    one averages all. There is no 1 / sqrt(d) here: the temperature takes its place. Dot products reach from -1e4 to
    1e4, and temperatures go down to 0.01. (In float32, where dot products have fewer digits, a dot product divided by
    the temperature lies between -100 and 100.)

    Args:
        query: what is looked for, shape (d,).
        keys: shape (S, d), S >= 1.
        values: shape (S, e).
        temperature: > 0.

    Returns:
        (value, weights), shapes (e,) and (S,).

    Raises:
        ValueError: the temperature is zero or negative.

    Uses your ``masked_softmax`` (§2), which is best written first.
    Forbidden: scipy.
    Handout: §1 Retrieval, and §2 Softmax.
    """
    if temperature <= 0:
        raise ValueError("a temperature is above zero")
    weights = masked_softmax(keys @ query / float(temperature))
    return weights @ values, weights


def sense_shift(
    before: Float[np.ndarray, " d"],
    after: Float[np.ndarray, " d"],
    a: Float[np.ndarray, " d"],
    b: Float[np.ndarray, " d"],
) -> tuple[float, float]:
    """Measure how far the context has moved a word, and whether towards sense a or sense b.

        distance = |after - before|
        gain = (cos(after, a) - cos(after, b)) - (cos(before, a) - cos(before, b))

    where cos is the cosine of the angle between two vectors, u . v / (|u| |v|). The gain is positive if the word has
    turned towards a, and negative if towards b. The zero vector has no direction: its cosine with any vector is
    defined as 0 here. Every other vector has one; it is from 1e-50 to 1e50 long (in float32 from 1e-8 to 1e8), and
    so is the distance where it is not 0. The gain may be off by 1e-7 (in float32 by 1e-4), however small the gain is;
    the distance may be off by 1e-9 (in float32 1e-4) of itself, also where the word has hardly moved.

    Args:
        before: the word's vector without its context, shape (d,).
        after: its vector in context, shape (d,).
        a: a vector that stands for the first sense, shape (d,).
        b: a vector that stands for the second sense, shape (d,).

    Returns:
        (distance, gain), two Python floats.

    Forbidden: scipy.
    Handout: §10 Senses.
    """

    def preference(word: np.ndarray) -> float:
        return _cosine(word, a) - _cosine(word, b)

    return float(np.linalg.norm(after - before)), preference(after) - preference(before)
