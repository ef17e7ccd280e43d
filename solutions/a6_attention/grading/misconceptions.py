"""Mistakes that students make in assignment 6, each a patch of the reference and a teacher's sentence."""

from __future__ import annotations

from autograder.course import Misconception

MISCONCEPTIONS = (
    # Softmax
    Misconception(
        "weights masked after the softmax",
        "masked_softmax",
        "What is hidden has already taken its share when you remove it: look at what the remaining weights sum to.",
        """    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    largest = kept.max(axis=-1, keepdims=True)
    exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)
""",
        """    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights if mask is None else weights * mask
""",
    ),
    Misconception(
        "exponentials of the scores as they are",
        "masked_softmax",
        "The exponential of a thousand is no number any more. Think of what may be added to a row without changing it.",
        "np.exp(kept - np.where(largest == -np.inf, 0, largest))",
        "np.exp(kept)",
        carried=False,
    ),
    Misconception(
        "hidden scores set to zero",
        "masked_softmax",
        "Zero is a score like any other: what you meant to hide still takes a share, and often a large one.",
        "np.where(mask, scores, -np.inf)",
        "np.where(mask, scores, 0)",
    ),
    Misconception(
        "nothing divided by nothing",
        "masked_softmax",
        "A row may be hidden entirely. Follow it through your computation: infinities are subtracted there.",
        "np.where(largest == -np.inf, 0, largest)",
        "largest",
    ),
    Misconception(
        "mask added",
        "masked_softmax",
        "A truth value counts as 0 or 1 when it is added. That makes a kept score a little larger and hides nothing.",
        "np.where(mask, scores, -np.inf)",
        "scores + mask",
    ),
    Misconception(
        "mask repeated in memory order",
        "masked_softmax",
        "Repeating a mask until it is long enough gives heads the mask of another sequence. Axes matter, not lengths.",
        "np.where(mask, scores, -np.inf)",
        "np.where(np.resize(mask, scores.shape), scores, -np.inf)",
        carried=False,
    ),
    Misconception(
        "true hides",
        "masked_softmax",
        "Two conventions for masks are in use, and you follow the other one. Look up what a true entry means here.",
        "np.where(mask, scores, -np.inf)",
        "np.where(mask, -np.inf, scores)",
        carried=False,
    ),
    Misconception(
        "minus ten thousand hides",
        "masked_softmax",
        "A constant hides only if every score that may come in is much larger. Look up how low they reach.",
        "np.where(mask, scores, -np.inf)",
        "np.where(mask, scores, -1e4)",
    ),
    Misconception(
        "all hidden, all alike",
        "masked_softmax",
        "Where everything is hidden, your weights are all equal and sum to one, as if nothing were hidden.",
        "np.where(mask, scores, -np.inf)",
        "np.where(mask, scores, -1e9)",
    ),
    Misconception(
        "largest of all, hidden or not",
        "masked_softmax",
        "You subtract the largest score of the row, even a hidden one. Far below it nothing is left of the others.",
        "largest = kept.max(axis=-1, keepdims=True)",
        "largest = scores.max(axis=-1, keepdims=True)",
    ),
    Misconception(
        "one maximum for all rows",
        "masked_softmax",
        "You subtract the largest score of the whole array. In a row far below it nothing is left.",
        "largest = kept.max(axis=-1, keepdims=True)",
        "largest = kept.max(keepdims=True)",
    ),
    Misconception(
        "scores clipped",
        "masked_softmax",
        "You clip the scores to what an exponential survives. Beyond that bound all of them are alike.",
        "np.exp(kept - np.where(largest == -np.inf, 0, largest))",
        "np.where(kept == -np.inf, 0, np.exp(scores.clip(-700, 700)))",
    ),
    Misconception(
        "a little below the lowest",
        "masked_softmax",
        "You hide a score by moving it below the lowest one. However far, that leaves a small weight.",
        """    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    largest = kept.max(axis=-1, keepdims=True)
    exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)
""",
        """    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    kept = np.where(mask, scores, scores.min(axis=-1, keepdims=True) - 30)
    exponentials = np.exp(kept - kept.max(axis=-1, keepdims=True)) * mask.any(axis=-1, keepdims=True)
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)
""",
    ),
    Misconception(
        "finite in double precision alone",
        "masked_softmax",
        "The number that you hide with is infinite in single precision. Follow a row there in which nothing is kept.",
        """    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    largest = kept.max(axis=-1, keepdims=True)
    exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))
""",
        """    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    kept = np.where(mask, scores, -1e300)
    exponentials = np.exp(kept - kept.max(axis=-1, keepdims=True)) * mask
""",
    ),
    # Scores
    Misconception(
        "root forgotten",
        "attention_scores",
        "Compare how the variance and the standard deviation of a dot product grow with its dimension.",
        "q.shape[-1] ** -0.5",
        "q.shape[-1] ** -1.0",
    ),
    Misconception(
        "scale by the number of keys",
        "attention_scores",
        "A dot product is a sum over features. How many keys there are does not make a single score larger.",
        "q.shape[-1] ** -0.5",
        "k.shape[-2] ** -0.5",
    ),
    Misconception(
        "zero taken for none",
        "attention_scores",
        "In a condition the number zero counts as false. Ask for what you mean: whether there was no argument.",
        "scale = q.shape[-1] ** -0.5 if scale is None else scale",
        "scale = scale or q.shape[-1] ** -0.5",
    ),
    Misconception(
        "scaled twice",
        "attention_scores",
        "A scale that is given replaces the usual one, it does not come on top.",
        "scale = q.shape[-1] ** -0.5 if scale is None else scale",
        "scale = q.shape[-1] ** -0.5 * (1.0 if scale is None else scale)",
    ),
    Misconception(
        "widened by the root",
        "attention_scores",
        "The root that you take is a number of NumPy in double precision, and it draws the array along.",
        "q.shape[-1] ** -0.5",
        "1 / np.sqrt(q.shape[-1])",
    ),
    Misconception(
        "dot products as they are",
        "attention_scores",
        "The usual scale is missing: without one, dot products grow with the number of features.",
        "q.shape[-1] ** -0.5",
        "1.0",
    ),
    Misconception(
        "divided by the scale",
        "attention_scores",
        "You divide by the scale that is given. It is a factor.",
        "scale * (q @",
        "(scale if scale == q.shape[-1] ** -0.5 else 1 / scale if scale else 0.0) * (q @",
    ),
    Misconception(
        "keys in the rows",
        "attention_scores",
        "Your scores have a row for every key. Queries ask, and each has a row.",
        "scale * (q @ k.swapaxes(-1, -2))",
        "scale * (k @ q.swapaxes(-1, -2))",
    ),
    Misconception(
        "whole number taken for none",
        "attention_scores",
        "A scale that is a whole number is not taken for one, and the usual scale steps in.",
        "scale = q.shape[-1] ** -0.5 if scale is None else scale",
        "scale = scale if isinstance(scale, float) else q.shape[-1] ** -0.5",
    ),
    # Masks
    Misconception(
        "corner at the top left",
        "causal_mask",
        "The queries are the last tokens, not the first. Draw the mask of one query that has three keys before it.",
        "np.tri(T, S, S - T, dtype=bool)",
        "np.tri(T, S, dtype=bool)",
        carried=False,
    ),
    Misconception(
        "blind to itself",
        "causal_mask",
        "A token may see itself; without that the first one has nothing to look at.",
        "S - T, dtype=bool)",
        "S - T - 1, dtype=bool)",
    ),
    Misconception(
        "the future seen",
        "causal_mask",
        "Read your mask row by row: each query sees what comes after it, and nothing else.",
        "return np.tri(T, S, S - T, dtype=bool)",
        "return ~np.tri(T, S, S - T, dtype=bool)",
        carried=False,
    ),
    Misconception(
        "one token ahead",
        "causal_mask",
        "Each token sees the one that comes next. To predict that one would then be no art.",
        "S - T, dtype=bool)",
        "S - T + 1, dtype=bool)",
    ),
    Misconception(
        "as many keys as queries",
        "causal_mask",
        "Your mask is always a square. There may be more keys than queries.",
        "np.tri(T, S, S - T, dtype=bool)",
        "np.tri(T, T, 0 * S, dtype=bool)",
    ),
    Misconception(
        "queries hidden instead of keys",
        "padding_mask",
        "Padding must not be found, so it is hidden as a key. You hide it as a query, on the other axis.",
        "return np.arange(S) < lengths[:, None, None, None]",
        "return (np.arange(S) < lengths[:, None, None, None]).swapaxes(2, 3)",
    ),
    Misconception(
        "axes left to broadcasting",
        "padding_mask",
        "Axes are matched from the right, so a mask of two axes would take the sequences for queries.",
        "lengths[:, None, None, None]",
        "lengths[:, None]",
    ),
    Misconception(
        "one token too many",
        "padding_mask",
        "Places are counted from zero: the place whose number is the length is already padding.",
        "np.arange(S) < lengths",
        "np.arange(S) <= lengths",
    ),
    Misconception(
        "padding kept, tokens hidden",
        "padding_mask",
        "True stands for the padding here. Look up what a true entry means in these masks.",
        "np.arange(S) < lengths[:, None, None, None]",
        "np.arange(S) >= lengths[:, None, None, None]",
    ),
    Misconception(
        "padding in front",
        "padding_mask",
        "You hide the beginning. The padding stands behind the tokens.",
        "np.arange(S) < lengths[:, None, None, None]",
        "np.arange(S) >= S - lengths[:, None, None, None]",
    ),
    Misconception(
        "one token too few",
        "padding_mask",
        "The last real token is hidden as well. Places are counted from zero, lengths are not.",
        "np.arange(S) < lengths[:, None, None, None]",
        "np.arange(S) + 1 < lengths[:, None, None, None]",
    ),
    Misconception(
        "one below zero",
        "padding_mask",
        "You look for the place of the last token. There may be none, and an integer without sign cannot say so.",
        "np.arange(S) < lengths[:, None, None, None]",
        "np.arange(S) <= lengths[:, None, None, None] - 1",
    ),
    Misconception(
        "places in the integers of the lengths",
        "padding_mask",
        "You count the places in the same small integers as the lengths. Look up how far those reach.",
        "np.arange(S) <",
        "np.arange(S).astype(lengths.dtype) <",
    ),
    # Attention
    Misconception(
        "causal unless told otherwise",
        "scaled_dot_product_attention",
        "Nothing was hidden, and yet your queries do not see all keys. Order plays no part until a mask brings it in.",
        "    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)\n",
        """    if mask is None:
        mask = np.tri(q.shape[-2], k.shape[-2], k.shape[-2] - q.shape[-2], dtype=bool)
    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)
""",
    ),
    Misconception(
        "scale not handed on",
        "scaled_dot_product_attention",
        "The scale is an argument of this function, too, and nobody uses it.",
        "attention_scores(q, k, scale=scale)",
        "attention_scores(q, k)",
    ),
    Misconception(
        "competition among queries",
        "scaled_dot_product_attention",
        "Each query distributes its attention over the keys. In your weights the queries compete for each key.",
        "    weights = masked_softmax(attention_scores(q, k, scale=scale), mask)\n",
        """    scores = attention_scores(q, k, scale=scale)
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    weights = masked_softmax(scores.swapaxes(-1, -2), mask.swapaxes(-1, -2)).swapaxes(-1, -2)
""",
    ),
    Misconception(
        "scores returned for weights",
        "scaled_dot_product_attention",
        "What you return beside the output does not sum to one: it has not been through the softmax yet.",
        "return weights @ v, weights",
        "return weights @ v, attention_scores(q, k, scale=scale)",
    ),
    Misconception(
        "mask not handed on",
        "scaled_dot_product_attention",
        "The mask is an argument of this function, too, and nobody uses it.",
        "attention_scores(q, k, scale=scale), mask)",
        "attention_scores(q, k, scale=scale))",
        carried=False,
    ),
    Misconception(
        "weights without the mask returned",
        "scaled_dot_product_attention",
        "The output is right, and the weights beside it are those that would be there without a mask.",
        "return weights @ v, weights",
        "return weights @ v, masked_softmax(attention_scores(q, k, scale=scale))",
    ),
    Misconception(
        "output scaled as well",
        "scaled_dot_product_attention",
        "The scale has done its work before the softmax. The mean of the values needs none.",
        "return weights @ v, weights",
        "return q.shape[-1] ** -0.5 * (weights @ v), weights",
    ),
    # The backward pass
    Misconception(
        "softmax entry by entry",
        "scaled_dot_product_attention_backward",
        "In a softmax every weight depends on every score of its row. You use the diagonal of its Jacobian alone.",
        "weights * (dweights - (weights * dweights).sum(axis=-1, keepdims=True))",
        "weights * (1 - weights) * dweights",
    ),
    Misconception(
        "queries without the scale",
        "scaled_dot_product_attention_backward",
        "The scores are scaled dot products, and a constant factor survives the derivative with respect to a query.",
        "dq = scale * (dscores @ k)",
        "dq = dscores @ k",
    ),
    Misconception(
        "keys without the scale",
        "scaled_dot_product_attention_backward",
        "Queries and keys play the same part in a score, but here only one of them keeps the constant factor.",
        "dk = scale * (dscores.swapaxes(-1, -2) @ q)",
        "dk = dscores.swapaxes(-1, -2) @ q",
    ),
    Misconception(
        "values with the scale",
        "scaled_dot_product_attention_backward",
        "The scale has done its work before the softmax. The values come in after it.",
        "dv = weights.swapaxes(-1, -2) @ dout",
        "dv = scale * (weights.swapaxes(-1, -2) @ dout)",
    ),
    Misconception(
        "keys from the rows of the scores",
        "scaled_dot_product_attention_backward",
        "A key is compared with all queries, so its gradient gathers a column of the scores, not a row.",
        "dk = scale * (dscores.swapaxes(-1, -2) @ q)",
        "dk = scale * (dscores @ q)",
    ),
    Misconception(
        "usual scale in every case",
        "scaled_dot_product_attention_backward",
        "The forward pass may have used another scale than the usual one; the gradients have to know.",
        "scale = q.shape[-1] ** -0.5 if scale is None else scale",
        "scale = q.shape[-1] ** -0.5",
    ),
    Misconception(
        "summed over the queries",
        "scaled_dot_product_attention_backward",
        "The softmax runs along the keys. The sum in its derivative runs along the same axis.",
        "(weights * dweights).sum(axis=-1, keepdims=True)",
        "(weights * dweights).sum(axis=-2, keepdims=True)",
    ),
    Misconception(
        "others' share forgotten",
        "scaled_dot_product_attention_backward",
        "A score that rises takes from all the other weights of its row. The sum over the row is missing.",
        "weights * (dweights - (weights * dweights).sum(axis=-1, keepdims=True))",
        "weights * dweights",
    ),
    Misconception(
        "row's sum without its weights",
        "scaled_dot_product_attention_backward",
        "In the sum that you subtract every key counts the same. Write down one row of the softmax's Jacobian.",
        "(weights * dweights).sum(axis=-1, keepdims=True)",
        "dweights.sum(axis=-1, keepdims=True)",
    ),
    Misconception(
        "softmax passed over",
        "scaled_dot_product_attention_backward",
        "The gradient of the weights goes to the scores as it is. A softmax stands between them.",
        "dscores = weights * (dweights - (weights * dweights).sum(axis=-1, keepdims=True))",
        "dscores = dweights",
    ),
    Misconception(
        "weights independent of each other",
        "softmax_jacobian",
        "If one score rises, its weight takes from all the others. Your matrix says that they do not notice.",
        "np.diag(p) - np.outer(p, p)",
        "np.diag(p * (1 - p))",
    ),
    Misconception(
        "sign turned round",
        "softmax_jacobian",
        "Raise a score in your mind: its own weight should grow. Compare that with the sign of your diagonal.",
        "np.diag(p) - np.outer(p, p)",
        "np.outer(p, p) - np.diag(p)",
    ),
    Misconception(
        "ones on the diagonal",
        "softmax_jacobian",
        "On the diagonal you begin with 1. The product rule begins with something that depends on the weight.",
        "np.diag(p) - np.outer(p, p)",
        "np.eye(len(p), dtype=p.dtype) - np.outer(p, p)",
    ),
    Misconception(
        "logarithm's Jacobian",
        "softmax_jacobian",
        "This is the Jacobian of the logarithm of the weights. It is not symmetric.",
        "np.diag(p) - np.outer(p, p)",
        "np.eye(len(p), dtype=p.dtype) - p",
    ),
    Misconception(
        "diagonal without its own term",
        "softmax_jacobian",
        "In your matrix a weight falls when its own score rises. One term of the rule is missing.",
        "np.diag(p) - np.outer(p, p)",
        "-np.outer(p, p)",
    ),
    Misconception(
        "small weights lifted",
        "softmax_jacobian",
        "You keep the weights away from zero. No logarithm needs that here, and the derivatives are too large.",
        "    return np.diag(p) - np.outer(p, p)",
        """    p = np.maximum(p, p.dtype.type(1e-12))
    return np.diag(p) - np.outer(p, p)""",
    ),
    Misconception(
        "sign of the scale lost",
        "scaled_dot_product_attention_backward",
        "Your scale is never negative. The one of the forward pass may be.",
        "scale = q.shape[-1] ** -0.5 if scale is None else scale",
        "scale = q.shape[-1] ** -0.5 if scale is None else abs(scale)",
    ),
    # Heads
    Misconception(
        "weights not transposed",
        "project_qkv",
        "Each output has a row of the matrix here. In your product it has a column, and square blocks hide it.",
        "q, k, v = np.split(x @ weight.T + bias, 3, axis=-1)",
        "q, k, v = (x @ w + b for w, b in zip(np.split(weight, 3), np.split(bias, 3), strict=True))",
    ),
    Misconception(
        "keys first",
        "project_qkv",
        "Queries, keys and values are packed in an order, and yours is another one.",
        "    q, k, v = np.split(",
        "    k, q, v = np.split(",
    ),
    Misconception(
        "rows in turns",
        "project_qkv",
        "You deal the rows out in turns, like cards: to queries, keys and values. They lie in blocks.",
        "q, k, v = np.split(x @ weight.T + bias, 3, axis=-1)",
        "q, k, v = np.moveaxis((x @ weight.T + bias).reshape(*x.shape, 3), -1, 0)",
    ),
    Misconception(
        "projected without bias",
        "project_qkv",
        "For tokens of zeros all your projections are zero. The biases are handed over for that.",
        "x @ weight.T + bias",
        "x @ weight.T + 0 * bias",
    ),
    Misconception(
        "values before keys",
        "project_qkv",
        "Queries, keys and values are packed in an order. Two of them have changed places.",
        "    q, k, v = np.split(",
        "    q, v, k = np.split(",
    ),
    Misconception(
        "queries' bias for all",
        "project_qkv",
        "Keys and values get the bias of the queries. Each of the three has its own.",
        "x @ weight.T + bias",
        "x @ weight.T + np.tile(bias[: x.shape[-1]], 3)",
    ),
    Misconception(
        "reshaped across tokens",
        "split_heads",
        "A reshape keeps the order of the numbers in memory, so here a head receives whole tokens instead of features.",
        "x.reshape(N, T, num_heads, -1).swapaxes(1, 2)",
        "x.reshape(N, num_heads, T, -1)",
    ),
    Misconception(
        "features in turns",
        "split_heads",
        "The features of one head are neighbours. In your result they are as far apart as there are heads.",
        "x.reshape(N, T, num_heads, -1).swapaxes(1, 2)",
        "x.reshape(N, T, -1, num_heads).transpose(0, 3, 1, 2)",
    ),
    Misconception(
        "features left over",
        "split_heads",
        "Some features find no head and vanish without a word.",
        """    if D % num_heads:
        raise ValueError(f"{D} features cannot be divided among {num_heads} heads")
    return x.reshape(N, T, num_heads, -1).swapaxes(1, 2)
""",
        """    d = D // num_heads
    return x[..., : num_heads * d].reshape(N, T, num_heads, d).swapaxes(1, 2)
""",
    ),
    Misconception(
        "split in the order of memory",
        "split_heads",
        "You hand out the features in the order in which they lie in memory. A transposed array has them in another.",
        "x.reshape(N, T, num_heads, -1)",
        'x.reshape(N, T, num_heads, -1, order="A")',
    ),
    Misconception(
        "heads behind the tokens",
        "split_heads",
        "The features are divided rightly, and the heads still stand behind the tokens. They belong before them.",
        "x.reshape(N, T, num_heads, -1).swapaxes(1, 2)",
        "x.reshape(N, T, num_heads, -1)",
    ),
    Misconception(
        "heads before the sequences",
        "split_heads",
        "The heads have come to the very front. The sequences of the batch stay first.",
        "x.reshape(N, T, num_heads, -1).swapaxes(1, 2)",
        "x.reshape(N, T, num_heads, -1).transpose(2, 0, 1, 3)",
    ),
    Misconception(
        "merged in memory order",
        "merge_heads",
        "The shape is right and the numbers are scattered: the features of a token must lie together before they join.",
        "return x.swapaxes(1, 2).reshape(N, T, -1)",
        "return x.reshape(N, T, -1)",
    ),
    Misconception(
        "sequences and heads exchanged",
        "merge_heads",
        "Once two axes are folded into one, only their order tells them apart. You unfold them the other way round.",
        "return x.swapaxes(1, 2).reshape(N, T, -1)",
        "return x.reshape(x.shape[1], N, T, -1).transpose(1, 2, 0, 3).reshape(N, T, -1)",
    ),
    Misconception(
        "features of the heads in turns",
        "merge_heads",
        "You deal the features out in turns, one of each head. A head's features stay side by side.",
        "x.swapaxes(1, 2).reshape(N, T, -1)",
        "x.transpose(0, 2, 3, 1).reshape(N, T, -1)",
    ),
    Misconception(
        "heads added up",
        "merge_heads",
        "The heads are added, and what each has found is lost. Their features stand side by side.",
        "x.swapaxes(1, 2).reshape(N, T, -1)",
        "x.sum(axis=1, dtype=x.dtype).reshape(N, T, -1)",
    ),
    Misconception(
        "scale of the whole token",
        "multi_head_attention",
        "Each head compares vectors of its own size, not of the whole token's.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v, mask, scale=x.shape[-1] ** -0.5)",
    ),
    Misconception(
        "mean over the heads",
        "multi_head_attention",
        "Every head looks somewhere else, and a mean hides where. The weights of each are wanted.",
        'params["out_proj.bias"], weights',
        'params["out_proj.bias"], weights.mean(axis=1)',
    ),
    Misconception(
        "the memory asks",
        "multi_head_attention",
        "Who asks, and who is searched? Count the tokens of your output when both have different lengths.",
        "        _, k, v = project_qkv(memory, weight, bias)",
        "        q, _, _ = project_qkv(memory, weight, bias)",
    ),
    Misconception(
        "found in the memory, read from the tokens",
        "multi_head_attention",
        "The keys come from the memory and the values do not: what is found there is then read somewhere else.",
        "        _, k, v = project_qkv(memory, weight, bias)",
        "        _, k, _ = project_qkv(memory, weight, bias)",
    ),
    Misconception(
        "tokens as their own values",
        "multi_head_attention",
        "In self-attention, too, what a token gives away is not the token itself. One of the projections is not used.",
        "    if memory is not None:\n        _, k, v = project_qkv(memory, weight, bias)\n",
        "    if memory is None:\n        v = x\n    else:\n        _, k, v = project_qkv(memory, weight, bias)\n",
    ),
    Misconception(
        "masks dealt out in another order",
        "multi_head_attention",
        "With several sequences and heads, some heads look at the padding of another sequence.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(\n"
        "        q, k, v, None if mask is None else np.resize(mask, (*q.shape[:-1], k.shape[-2]))\n    )",
    ),
    Misconception(
        "three axes, a mask for each sequence",
        "multi_head_attention",
        "Broadcasting matches axes from the right. Find out with which axis of the scores a mask of three axes begins.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(\n"
        "        q, k, v, mask[:, None] if mask is not None and mask.ndim == 3 else mask\n    )",
    ),
    Misconception(
        "heads' masks repeated one by one",
        "multi_head_attention",
        "You repeat the masks of the heads for all sequences, and the copies come in another order than the heads.",
        "scaled_dot_product_attention(q, k, v, mask)",
        """scaled_dot_product_attention(
        q, k, v, np.repeat(mask, len(x), axis=0).reshape(*q.shape[:-1], -1) if np.ndim(mask) == 3 else mask
    )""",
    ),
    Misconception(
        "last layer not transposed",
        "multi_head_attention",
        "The last layer mixes the heads with its matrix the wrong way round, which a square matrix does not betray.",
        '@ params["out_proj.weight"].T',
        '@ params["out_proj.weight"]',
    ),
    Misconception(
        "last layer's bias left out",
        "multi_head_attention",
        "A query that sees nothing gets zeros here. Something is added at the very end.",
        '@ params["out_proj.weight"].T + params["out_proj.bias"], weights',
        '@ params["out_proj.weight"].T, weights',
    ),
    Misconception(
        "last layer left out",
        "multi_head_attention",
        "What the heads have found is put side by side and returned. A linear layer was to mix it.",
        'merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"], weights',
        "merge_heads(out), weights",
    ),
    Misconception(
        "mask left at the door",
        "multi_head_attention",
        "Your queries see everything, whatever mask the caller gives.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v)",
    ),
    Misconception(
        "everything from the memory",
        "multi_head_attention",
        "With a memory the tokens themselves play no part. They ask; the memory is searched.",
        "        _, k, v = project_qkv(memory, weight, bias)",
        "        q, k, v = project_qkv(memory, weight, bias)",
    ),
    Misconception(
        "blind in one head, blind in all",
        "multi_head_attention",
        "A query that sees nothing in one head may see something in another, and you throw that away.",
        """    return merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"], weights
""",
        """    y = merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"]
    if mask is not None:
        y[(~np.broadcast_to(mask, weights.shape).any(axis=-1)).any(axis=1)] = params["out_proj.bias"]
    return y, weights
""",
    ),
    Misconception(
        "a token that only asks",
        "multi_head_attention_backward",
        "A token asks, is found and is read. Your gradient knows only the first of these three.",
        'return dqkv @ params["in_proj_weight"], grads',
        'D = x.shape[-1]\n    return dqkv[..., :D] @ params["in_proj_weight"][:D], grads',
    ),
    Misconception(
        "averaged over the sequences",
        "multi_head_attention_backward",
        "The loss is what it is: nobody divided by the number of sequences, so its gradient does not either.",
        """        "in_proj_weight": np.einsum("nti,ntj->ij", dqkv, x),
        "in_proj_bias": dqkv.sum(axis=(0, 1)),
""",
        """        "in_proj_weight": np.einsum("nti,ntj->ij", dqkv, x) / len(x),
        "in_proj_bias": dqkv.sum(axis=1).mean(axis=0),
""",
    ),
    Misconception(
        "gradient of the last layer transposed",
        "multi_head_attention_backward",
        "The shape of a square matrix says nothing about its orientation. Ask which index belongs to the outputs.",
        'np.einsum("nti,ntj->ij", dy, merge_heads(out))',
        'np.einsum("nti,ntj->ij", merge_heads(out), dy)',
    ),
    Misconception(
        "mask forgotten on the way back",
        "multi_head_attention_backward",
        "What you compute again is another forward pass than the first one: it saw everything.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v)",
    ),
    Misconception(
        "last layer skipped on the way back",
        "multi_head_attention_backward",
        "Between the heads and the output stands a layer. On its way back the gradient must go through it first.",
        'split_heads(dy @ params["out_proj.weight"], num_heads)',
        "split_heads(dy, num_heads)",
    ),
    Misconception(
        "last sequence alone for the weights",
        "multi_head_attention_backward",
        "Each sequence overwrites what the one before said about the projections. They serve all sequences.",
        '"in_proj_weight": np.einsum("nti,ntj->ij", dqkv, x)',
        '"in_proj_weight": dqkv[-1].T @ x[-1]',
    ),
    Misconception(
        "biases averaged over the tokens",
        "multi_head_attention_backward",
        "A bias takes part in every token of every sequence. You average what they send back.",
        '"out_proj.bias": dy.sum(axis=(0, 1))',
        '"out_proj.bias": dy.mean(axis=(0, 1))',
    ),
    Misconception(
        "input for what the heads found",
        "multi_head_attention_backward",
        "The last layer received what the heads had found. You pair its gradient with the tokens.",
        "dy, merge_heads(out))",
        "dy, x + 0 * merge_heads(out))",
    ),
    Misconception(
        "first head's mask for all",
        "multi_head_attention_backward",
        "A mask may differ from head to head. You compute all of them with the mask of the first.",
        "scaled_dot_product_attention(q, k, v, mask)",
        "scaled_dot_product_attention(q, k, v, mask if np.ndim(mask) < 3 else mask[..., :1, :, :])",
    ),
    Misconception(
        "blind in the first head, blind in all",
        "multi_head_attention_backward",
        "You ask the first head whether a query sees anything. In the other heads it may see something else.",
        """    dout = split_heads(dy @ params["out_proj.weight"], num_heads)
""",
        """    sees = np.broadcast_to(True if mask is None else mask, weights.shape).any(axis=-1)
    dout = split_heads(sees[:, 0, :, None] * (dy @ params["out_proj.weight"]), num_heads)
""",
    ),
    Misconception(
        "blind in one head, blind in all, on the way back",
        "multi_head_attention_backward",
        "A query that sees nothing in one head may see something in another, and you throw away what goes back there.",
        """    dout = split_heads(dy @ params["out_proj.weight"], num_heads)
""",
        """    sees = np.broadcast_to(True if mask is None else mask, weights.shape).any(axis=-1)
    dout = split_heads(sees.all(axis=1)[..., None] * (dy @ params["out_proj.weight"]), num_heads)
""",
    ),
    # Positions
    Misconception(
        "sines first, cosines after",
        "sinusoidal_positions",
        "All the numbers are right and stand elsewhere: look at which columns belong to one frequency.",
        "np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)",
        "np.concatenate([np.sin(angles), np.cos(angles)], axis=1)",
    ),
    Misconception(
        "frequencies half as far apart",
        "sinusoidal_positions",
        "From one pair of columns to the next the frequency falls too little: compare the last with the first.",
        "np.arange(0, D, 2)",
        "np.arange(D // 2)",
    ),
    Misconception(
        "base built in",
        "sinusoidal_positions",
        "The base is an argument, and nobody looks at it.",
        "base ** (-np",
        "10000.0 ** (-np",
    ),
    Misconception(
        "a sine without a cosine",
        "sinusoidal_positions",
        "With an odd number of features one frequency has lost its partner. That was to be refused.",
        """    if D % 2:
        raise ValueError(f"sines and cosines come in pairs, and {D} is odd")
    angles = np.outer(np.arange(T), base ** (-np.arange(0, D, 2) / D))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, D)
""",
        """    angles = np.outer(np.arange(T), base ** (-np.arange(0, D, 2) / D))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, -1)[:, :D]
""",
    ),
    Misconception(
        "last frequency at the end",
        "sinusoidal_positions",
        "Your last frequency is the slowest that there could be. Look at what the exponent is divided by.",
        "-np.arange(0, D, 2) / D",
        "-np.arange(D // 2) / max(D // 2 - 1, 1)",
    ),
    Misconception(
        "positions from one",
        "sinusoidal_positions",
        "Your first position is 1. At position 0 every sine is 0.",
        "np.arange(T)",
        "np.arange(1, T + 1)",
    ),
    Misconception(
        "cosine before sine",
        "sinusoidal_positions",
        "Within each pair the two have changed places.",
        "[np.sin(angles), np.cos(angles)]",
        "[np.cos(angles), np.sin(angles)]",
    ),
    Misconception(
        "faster and faster",
        "sinusoidal_positions",
        "From one pair of columns to the next your angles grow faster. They were to grow more slowly.",
        "(-np.arange(0, D, 2) / D)",
        "(np.arange(0, D, 2) / D)",
    ),
    Misconception(
        "nearly equal taken for equal",
        "permutation_error",
        "What an allowance for rounding errors takes in may be a real difference. You say that there is none.",
        "return float(np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max())",
        """one, other = layer(x[:, permutation]), layer(x)[:, permutation]
    return 0.0 if np.allclose(one, other) else float(np.abs(one - other).max())""",
    ),
    Misconception(
        "output left in its order",
        "permutation_error",
        "The tokens went in shuffled and came out shuffled. Both sides must be in the same order to be compared.",
        " - layer(x)[:, permutation]).max",
        " - layer(x)).max",
    ),
    Misconception(
        "shuffled back",
        "permutation_error",
        "One side is shuffled and the other unshuffled. A swap of two tokens hides that; a cycle of three does not.",
        " - layer(x)[:, permutation]).max",
        " - layer(x)[:, np.argsort(permutation)]).max",
    ),
    Misconception(
        "mean instead of maximum",
        "permutation_error",
        "One wrong token among many makes a small mean. The question was how large the largest difference is.",
        ".max()",
        ".mean()",
    ),
    Misconception(
        "difference with its sign",
        "permutation_error",
        "Where the shuffled tokens give less, your difference is negative and never the largest.",
        "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max()",
        "(layer(x[:, permutation]) - layer(x)[:, permutation]).max()",
    ),
    Misconception(
        "length of the difference",
        "permutation_error",
        "This is the length of the whole difference. Asked for is its largest entry.",
        "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max()",
        "np.linalg.norm(layer(x[:, permutation]) - layer(x)[:, permutation])",
    ),
    Misconception(
        "relative to the output",
        "permutation_error",
        "You divide by the largest output. The error was to be the difference itself.",
        "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max()",
        "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max() / np.abs(layer(x)).max()",
    ),
    Misconception(
        "power before the root",
        "sinusoidal_positions",
        "You take the power first and then the root. With many features the power is infinite.",
        "base ** (-np.arange(0, D, 2) / D)",
        "(float(base) ** np.arange(0, D, 2)) ** (-1 / D)",
    ),
    # The cache
    Misconception(
        "new tokens see each other",
        "incremental_attention",
        "Several tokens that arrive at once still have an order: the first of them cannot see the last.",
        "scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))",
        "scaled_dot_product_attention(q, k, v)",
    ),
    Misconception(
        "new tokens at the beginning",
        "incremental_attention",
        "Your new tokens look back from the first places of the sequence. They come after everything in the cache.",
        "causal_mask(q.shape[2], k.shape[2])",
        "np.tri(q.shape[2], k.shape[2], dtype=bool)",
    ),
    Misconception(
        "cache of the last piece",
        "incremental_attention",
        "The output is right, and the next one will not be: what came before is not in the cache that you return.",
        """    if cache is not None:
        k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v), strict=True))
    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return out, (k, v)
""",
        """    new = k, v
    if cache is not None:
        k, v = np.concatenate([cache[0], k], axis=2), np.concatenate([cache[1], v], axis=2)
    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))
    return out, new
""",
    ),
    Misconception(
        "room to spare, used twice",
        "incremental_attention",
        "Two continuations of one cache share the room behind it, and the second overwrites what the first put there.",
        """    if cache is not None:
        k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v), strict=True))
    out, _""",
        """
    def append(old: np.ndarray | None, new: np.ndarray) -> np.ndarray:
        seen = 0 if old is None else old.shape[2]
        end = seen + new.shape[2]
        room = getattr(old, "base", None)
        if np.ndim(room) != 4 or room.shape[2] < end:
            room = np.empty((*new.shape[:2], 2 * end, new.shape[3]))
            room[:, :, :seen] = 0 if old is None else old
        room[:, :, seen:end] = new
        return room[:, :, :end]

    k, v = (append(old, new) for old, new in zip(cache or (None, None), (k, v), strict=True))
    out, _""",
    ),
    Misconception(
        "queries scaled in place",
        "incremental_attention",
        "This writes into the caller's array. Whoever asks with it a second time asks something else.",
        "    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))",
        "    q *= q.shape[-1] ** -0.5\n"
        "    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]), scale=1.0)",
    ),
    Misconception(
        "cache not looked at",
        "incremental_attention",
        "The new tokens see each other and nothing of what came before.",
        "    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))",
        """    L = q.shape[2]
    out, _ = scaled_dot_product_attention(q, k[:, :, -L:], v[:, :, -L:], causal_mask(L))""",
    ),
    Misconception(
        "new tokens in front",
        "incremental_attention",
        "The new keys and values stand before the old ones. A cache grows at its end.",
        "np.concatenate([old, new], axis=2)",
        "np.concatenate([new, old], axis=2)",
    ),
    Misconception(
        "triangle moved too little",
        "incremental_attention",
        "Several tokens at once do not see all of the cache: count the keys that the first of them may see.",
        "causal_mask(q.shape[2], k.shape[2])",
        "np.tri(L := q.shape[2], k.shape[2], k.shape[2] - L if L == 1 else min(L, k.shape[2] - L), dtype=bool)",
    ),
    # Retrieval
    Misconception(
        "temperature the wrong way round",
        "retrieve",
        "A low temperature should make the choice sharper. Try one and look at the weights.",
        "keys @ query / float(temperature)",
        "keys @ query * float(temperature)",
    ),
    Misconception(
        "scaled as well",
        "retrieve",
        "Two scales are at work here. Read again which of them this exercise has.",
        "masked_softmax(keys @ query / float(temperature))",
        "masked_softmax(keys @ query / float(temperature) * len(query) ** -0.5)",
    ),
    Misconception(
        "lengths taken out",
        "retrieve",
        "This compares directions. A dot product keeps the lengths: a longer key is louder.",
        "keys @ query / float(temperature)",
        "keys @ query / np.linalg.norm(keys, axis=1) / np.linalg.norm(query) / float(temperature)",
    ),
    Misconception(
        "an exponential of its own",
        "retrieve",
        "Near a temperature of zero the exponential grows beyond all numbers. You have solved this once already.",
        "weights = masked_softmax(keys @ query / float(temperature))",
        "weights = np.exp(keys @ query / float(temperature))\n    weights /= weights.sum()",
    ),
    Misconception(
        "below absolute zero",
        "retrieve",
        "A temperature below zero prefers what fits worst. It was to be refused.",
        "if temperature <= 0:",
        "if temperature == 0:",
    ),
    Misconception(
        "best entry alone",
        "retrieve",
        "You take the entry that fits best. Here every entry counts, the more the better it fits.",
        "    weights = masked_softmax(keys @ query / float(temperature))",
        """    weights = np.zeros_like(keys[:, 0])
    weights[np.argmax(keys @ query)] = 1""",
    ),
    Misconception(
        "temperature left out",
        "retrieve",
        "The temperature is checked and then forgotten.",
        "keys @ query / float(temperature)",
        "keys @ query",
    ),
    Misconception(
        "usual scale and temperature",
        "retrieve",
        "The scores are divided by the root of the temperature. Read the formula once more.",
        "keys @ query / float(temperature)",
        "keys @ query / float(temperature) ** 0.5",
    ),
    Misconception(
        "best entry alone where exponentials overflow",
        "retrieve",
        "Where an exponential would overflow you take the best entry alone. The second best may be close behind it.",
        "    weights = masked_softmax(keys @ query / float(temperature))",
        """    scores = keys @ query / float(temperature)
    weights = masked_softmax(scores, scores == scores.max() if scores.max() > 700 else None)""",
    ),
    Misconception(
        "axes of one taken away",
        "retrieve",
        "You remove every axis of length 1. A value may have a single feature, and is still an array.",
        "return weights @ values, weights",
        "return np.squeeze(weights @ values), weights",
    ),
    # Senses
    Misconception(
        "distance squared",
        "sense_shift",
        "The sum of squares is not a length yet.",
        "float(np.linalg.norm(after - before))",
        "float(((after - before) ** 2).sum())",
    ),
    Misconception(
        "distance from dot products",
        "sense_shift",
        "Where a word hardly moves, nearly equal numbers are subtracted here, and few of their digits are left.",
        "float(np.linalg.norm(after - before))",
        "float(max(after @ after + before @ before - 2 * (after @ before), 0.0)) ** 0.5",
    ),
    Misconception(
        "where it was left out",
        "sense_shift",
        "A word may have leaned to one side from the start. A gain is the difference that the context makes.",
        "preference(after) - preference(before)",
        "preference(after)",
    ),
    Misconception(
        "dot products for cosines",
        "sense_shift",
        "A longer vector scores higher here, wherever it points. A cosine does not see lengths.",
        "return _cosine(word, a) - _cosine(word, b)",
        "return float(word @ a - word @ b)",
    ),
    Misconception(
        "no direction, no number",
        "sense_shift",
        "The zero vector has length zero, and you divide by it. Its cosine was given a value by definition.",
        "return _cosine(word, a) - _cosine(word, b)",
        """unit = word / np.linalg.norm(word)
        return float(unit @ (a / np.linalg.norm(a)) - unit @ (b / np.linalg.norm(b)))""",
    ),
    Misconception(
        "a floor under the lengths",
        "sense_shift",
        "The small number that protects you from the zero vector changes the cosine of every short one as well.",
        "return _cosine(word, a) - _cosine(word, b)",
        """lengths = np.linalg.norm(word) * np.linalg.norm([a, b], axis=1)
        return float(np.subtract(*(np.stack([a, b]) @ word / np.maximum(lengths, 1e-8))))""",
    ),
    Misconception(
        "towards b",
        "sense_shift",
        "Your gain is positive where the word has turned towards the second sense.",
        "preference(after) - preference(before)",
        "preference(before) - preference(after)",
    ),
    Misconception(
        "first sense alone",
        "sense_shift",
        "You look at one sense. A word may come nearer to both of them.",
        "return _cosine(word, a) - _cosine(word, b)",
        "return _cosine(word, a)",
    ),
    Misconception(
        "changes along the axes",
        "sense_shift",
        "You add the changes of all entries. The distance is the length of the straight line.",
        "float(np.linalg.norm(after - before))",
        "float(np.abs(after - before).sum())",
    ),
    Misconception(
        "gain kept between two bounds",
        "sense_shift",
        "You bound the gain more tightly than four cosines do. Think of a word that turns right round.",
        "preference(after) - preference(before)",
        "float(np.clip(preference(after) - preference(before), -2, 2))",
    ),
    Misconception(
        "sum for length",
        "sense_shift",
        "You know the zero vector by its sum. Entries of both signs can sum to zero as well.",
        "return _cosine(word, a) - _cosine(word, b)",
        "return (_cosine(word, a) * bool(a.sum()) - _cosine(word, b) * bool(b.sum())) * bool(word.sum())",
    ),
    Misconception(
        "short taken for zero",
        "sense_shift",
        "A short vector has a direction as well. You take it for the zero vector.",
        "return _cosine(word, a) - _cosine(word, b)",
        """lengths = np.linalg.norm(word) * np.linalg.norm([a, b], axis=1)
        return _cosine(word, a) * bool(lengths[0] >= 1e-12) - _cosine(word, b) * bool(lengths[1] >= 1e-12)""",
    ),
    Misconception(
        "hardly moved taken for not at all",
        "sense_shift",
        "Where the distance is tiny you say that nothing has changed. A short word turns right round on a short way.",
        "preference(after) - preference(before)",
        "(preference(after) - preference(before)) * bool(np.linalg.norm(after - before) >= 1e-12)",
    ),
    # PyTorch
    Misconception(
        "scale of all heads together",
        "MultiHeadAttention",
        "The heads have shared the features out, but your scale still counts all of them.",
        "q.shape[-1] ** -0.5",
        "x.shape[-1] ** -0.5",
    ),
    Misconception(
        "repaired after the softmax",
        "MultiHeadAttention",
        "Replacing what is no number mends the output only. On the way back the softmax meets the infinities again.",
        """            lowest = torch.finfo(scores.dtype).min
            attention = scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0)
""",
        """            attention = (scores + mask.to(scores.dtype).log()).softmax(dim=-1).nan_to_num(0.0)
""",
    ),
    Misconception(
        "a billion below, and no more",
        "MultiHeadAttention",
        "Where everything is hidden, all scores are alike, and your query averages over what it must not see.",
        "            attention = scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0)",
        "            attention = scores.masked_fill(~mask, -1e9).softmax(dim=-1)",
    ),
    Misconception(
        "ten thousand below, in the layer",
        "MultiHeadAttention",
        "A constant hides only if every score that may come in is much larger. Look up how low they reach.",
        "lowest = torch.finfo(scores.dtype).min",
        "lowest = -1e4",
    ),
    Misconception(
        "masks repeated head by head",
        "MultiHeadAttention",
        "The copies of the masks come in another order than the sequences and heads that they are meant for.",
        "        else:  # the lowest number",
        """        else:
            if mask.dim() == 4 and mask.shape[1] == 1:
                mask = mask.repeat(self.num_heads, 1, 1, 1).reshape(len(mask), self.num_heads, *mask.shape[2:])
            # the lowest number""",
    ),
    Misconception(
        "heads' masks given to the sequences",
        "MultiHeadAttention",
        "A mask may lack its first axis, as broadcasting has it. You have put the missing one somewhere else.",
        "        else:  # the lowest number",
        """        else:
            if mask.dim() == 3:
                mask = mask[:, None]
            # the lowest number""",
    ),
    Misconception(
        "a scale that is learned",
        "MultiHeadAttention",
        "The layer has a parameter more than the one that it replaces: somebody else's weights will not load.",
        "        self.num_heads = num_heads\n",
        "        self.num_heads = num_heads\n"
        "        self.scale = nn.Parameter(torch.tensor((embed_dim / num_heads) ** -0.5))\n",
    ),
    Misconception(
        "heads merged without moving them",
        "MultiHeadAttention",
        "The features of a token lie apart when you flatten them, one head after the other.",
        "(attention @ v).transpose(1, 2).flatten(2)",
        "(attention @ v).reshape(x.shape)",
    ),
    Misconception(
        "dropout for ever",
        "MultiHeadAttention",
        "Ask your layer the same thing twice. A function that throws weights away always throws them away.",
        "(attention @ v)",
        "(F.dropout(attention, 0.1) @ v)",
    ),
    Misconception(
        "layer ends with the heads",
        "MultiHeadAttention",
        "The layer at the end is there and has no part in the output.",
        "return self.out_proj((attention @ v).transpose(1, 2).flatten(2))",
        "return (attention @ v).transpose(1, 2).flatten(2)",
    ),
    Misconception(
        "true hides in the layer",
        "MultiHeadAttention",
        "Two conventions for masks are in use, and you follow PyTorch's. Look up what a true entry means here.",
        "        else:  # the lowest number",
        "        else:\n            mask = ~mask  # the lowest number",
    ),
    Misconception(
        "features dealt out in turns",
        "MultiHeadAttention",
        "The features of one head are neighbours. In your layer they are as far apart as there are heads.",
        "unflatten(-1, (self.num_heads, -1)).transpose(1, 2)",
        "unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)",
    ),
    Misconception(
        "memory not looked at",
        "MultiHeadAttention",
        "Your layer always searches its own tokens. With a memory that is what is searched.",
        "memory = x if memory is None else memory",
        "memory = x",
    ),
    Misconception(
        "precision built in",
        "MultiHeadAttention",
        "You have written down a precision for the parameters. PyTorch has a default, and it may be another one.",
        """torch.randn(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
""",
        """torch.randn(3 * embed_dim, embed_dim, dtype=torch.float32))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim, dtype=torch.float32))
""",
    ),
    Misconception(
        "table as it came",
        "SenseModel",
        "The table was left with the values that the module gives it. Measure how far they spread.",
        "        nn.init.normal_(self.embedding.weight, std=dim**-0.5)\n",
        "",
    ),
    Misconception(
        "variance for a deviation",
        "SenseModel",
        "The entries of your table are far too small: a variance was divided by the number of features, not its root.",
        "std=dim**-0.5",
        "std=1 / dim",
    ),
    Misconception(
        "uniform table",
        "SenseModel",
        "The entries of your table spread as widely as they should and are not normally distributed: none is far out.",
        "nn.init.normal_(self.embedding.weight, std=dim**-0.5)",
        "nn.init.uniform_(self.embedding.weight, -((3 / dim) ** 0.5), (3 / dim) ** 0.5)",
    ),
    Misconception(
        "words of one length",
        "SenseModel",
        "All words of your table are exactly as long. Independent entries make some longer and some shorter.",
        "nn.init.normal_(self.embedding.weight, std=dim**-0.5)",
        "self.embedding.weight.data = F.normalize(self.embedding.weight.data, dim=1)",
    ),
    Misconception(
        "logits scaled like scores",
        "SenseModel",
        "Before a softmax stands a scale, you remember from attention. Here two vectors are compared as they are.",
        "return self.encode(ids) @ self.embedding.weight.T",
        "return self.encode(ids) @ self.embedding.weight.T * self.embedding.embedding_dim**-0.5",
    ),
    Misconception(
        "a second table for the output",
        "SenseModel",
        "The words that come out are compared with other vectors than the words that went in.",
        """        self.attention = MultiHeadAttention(dim, num_heads=1)
""",
        """        self.attention = MultiHeadAttention(dim, num_heads=1)
        self.readout = nn.Linear(dim, vocab_size, bias=False)
        self.forward = lambda ids: self.readout(self.encode(ids))
""",
    ),
    Misconception(
        "nothing learned but the table",
        "SenseModel",
        "Query, key and value are the word itself, three times. A verb can then give away only what it is.",
        "return x + self.attention(x)",
        "return x + (x.shape[-1] ** -0.5 * x @ x.transpose(1, 2)).softmax(dim=-1) @ x",
    ),
    Misconception(
        "word without its context",
        "SenseModel",
        "The vectors in context are those of the table. No word learns anything of the others.",
        "return x + self.attention(x)",
        "return x + 0 * self.attention(x)",
    ),
    Misconception(
        "a bias for each word",
        "SenseModel",
        "Something of each word is added to its logits that is no comparison of two vectors.",
        """        self.attention = MultiHeadAttention(dim, num_heads=1)
""",
        """        self.attention = MultiHeadAttention(dim, num_heads=1)
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.forward = lambda ids: self.encode(ids) @ self.embedding.weight.T + self.bias
""",
    ),
    Misconception(
        "words that look across sentences",
        "SenseModel",
        "Your words exchange what they know with other sentences of the batch. Look up which axis is the time.",
        "return x + self.attention(x)",
        "return x + self.attention(x.transpose(0, 1)).transpose(0, 1)",
    ),
    Misconception(
        "logarithms of probabilities",
        "SenseModel",
        "You return logarithms of probabilities. What was asked for are the dot products themselves.",
        "return self.encode(ids) @ self.embedding.weight.T",
        "return (self.encode(ids) @ self.embedding.weight.T).log_softmax(dim=-1)",
    ),
    Misconception(
        "lists that compete",
        "RecallModel",
        "The weights sum to one over the batch. Ask about a list on its own, and see what is left of the answer.",
        "scores.softmax(dim=1)",
        "scores.softmax(dim=0)",
    ),
    Misconception(
        "places that count",
        "RecallModel",
        "Your model knows where in the list a pair stands. Nothing in the task depends on that.",
        "scores.softmax(dim=1)",
        "(scores + torch.linspace(0.0, 1.0, keys.shape[1])).softmax(dim=1)",
    ),
    Misconception(
        "a table for keys and a table for queries",
        "RecallModel",
        "The same key has two vectors here, and each pair of them must first be taught to mean the same.",
        """        self.key = nn.Embedding(num_keys, dim)
""",
        """        self.key = nn.Embedding(num_keys, dim)
        self.asked = nn.Embedding(num_keys, dim)

        def forward(keys, values, query):
            scores = (self.key(keys) @ self.asked(query).unsqueeze(-1)).squeeze(-1) * dim**-0.5
            return self.readout((scores.softmax(dim=1).unsqueeze(1) @ self.value(values)).squeeze(1))

        self.forward = forward
""",
    ),
    Misconception(
        "first list for all",
        "RecallModel",
        "All queries are looked up in the first list of the batch. Each has a list of its own.",
        "k = self.key(keys)",
        "k = self.key(keys[:1].expand_as(keys))",
    ),
    Misconception(
        "mean of all values",
        "RecallModel",
        "All values of the list count the same, whatever key is asked for.",
        "scores.softmax(dim=1)",
        "(0 * scores).softmax(dim=1)",
    ),
    Misconception(
        "all weights kept",
        "chunked_attention",
        "You go through the chunks one by one and keep the weights of each. In the end they are all there.",
        "        out[..., start:stop, :] = scores.softmax(dim=-1) @ v[..., :seen, :]\n    return out",
        """        scores = F.pad(scores.softmax(dim=-1), (0, T - seen))
        kept = scores if start == 0 else torch.cat([kept, scores], dim=-2)
    return kept @ v""",
    ),
    Misconception(
        "rest left over",
        "chunked_attention",
        "If the chunk does not divide the sequence, the last queries never have their turn.",
        """    out = v.new_empty(*q.shape[:-1], v.shape[-1])
    for start in range(0, T, chunk):
""",
        """    out = v.new_zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, T - chunk + 1, chunk):
""",
    ),
    Misconception(
        "each chunk for itself",
        "chunked_attention",
        "The queries of a chunk look at the keys of the same chunk only. They are to see the whole sequence.",
        """        scores = q.shape[-1] ** -0.5 * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, -2))
        if is_causal:
            hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop, device=q.device)[:, None]
            scores.masked_fill_(hidden, float("-inf"))
        out[..., start:stop, :] = scores.softmax(dim=-1) @ v[..., :seen, :]
""",
        """        scores = q.shape[-1] ** -0.5 * (q[..., start:stop, :] @ k[..., start:stop, :].transpose(-1, -2))
        if is_causal:
            hidden = torch.ones(stop - start, stop - start, dtype=torch.bool, device=q.device).triu(1)
            scores.masked_fill_(hidden, float("-inf"))
        out[..., start:stop, :] = scores.softmax(dim=-1) @ v[..., start:stop, :]
""",
    ),
    Misconception(
        "scale left out of the chunks",
        "chunked_attention",
        "The dot products go into the softmax as they are. The plain form scales them.",
        "q.shape[-1] ** -0.5 * (q[..., start:stop, :]",
        "(q[..., start:stop, :]",
    ),
    Misconception(
        "counted from the chunk's beginning",
        "chunked_attention",
        "The queries of each chunk are numbered from zero for the mask. They stand further back in the sequence.",
        "torch.arange(start, stop, device=q.device)[:, None]",
        "torch.arange(stop - start, device=q.device)[:, None]",
    ),
    Misconception(
        "ten thousand below, in chunks",
        "chunked_attention",
        "What you hide gets a score that others may have too. Look up how low scores reach.",
        """        seen = stop if is_causal else T
        scores = q.shape[-1] ** -0.5 * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, -2))
        if is_causal:
            hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop, device=q.device)[:, None]
            scores.masked_fill_(hidden, float("-inf"))
""",
        """        seen = T
        scores = q.shape[-1] ** -0.5 * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, -2))
        if is_causal:
            hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop, device=q.device)[:, None]
            scores.masked_fill_(hidden, -1e4)
""",
    ),
    Misconception(
        "exponentials as they are, in chunks",
        "chunked_attention",
        "The exponential of a large score is infinite. Think of what may be added to a row without changing it.",
        "scores.softmax(dim=-1)",
        "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))",
    ),
    Misconception(
        "future seen in every chunk",
        "chunked_attention",
        "Your queries see all keys, also where they were to see the past only.",
        "        seen = stop if is_causal else T",
        "        is_causal = False\n        seen = T",
    ),
)
