"""What the docstrings of assignment 6 promise in sentences and errors, and what asks for it."""

from __future__ import annotations

from autograder.course import Promise, equivalents

PROMISES = (
    Promise(
        "masked_softmax",
        "What is masked has weight exactly 0, however large its score is, and takes nothing from the others.",
        "values: the largest scores hidden",
        broken=[
            ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -30.0)"),
            ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -1e4)"),
            ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, scores.min() - 20)"),
        ],
    ),
    Promise(
        "masked_softmax",
        "No rounding error passes there, not even 1e-40.",
        "values: the largest scores hidden",
        broken=[
            ("return exponentials /", "return np.where(True if mask is None else mask, 0, 1e-40) + exponentials /")
        ],
    ),
    Promise(
        "masked_softmax",
        "Scores reach from -1e6 to 1e6, also in one row, where ``np.exp`` of them overflows or is 0 everywhere.",
        "extremes: a million above and below",
        broken=[
            ("np.where(mask, scores, -np.inf)", "scores + np.where(mask, 0, -1e5)"),
            ("kept - np.where(largest == -np.inf, 0, largest)", "np.clip(kept, -700, 700)"),
        ],
    ),
    Promise(
        "masked_softmax",
        "A row in which nothing is kept has weights 0 throughout, and so sums to 0.",
        "empty: a row in which nothing is kept, float32",
        broken=[
            (
                """    kept = scores if mask is None else np.where(mask, scores, -np.inf)
    largest = kept.max(axis=-1, keepdims=True)
    exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))
""",
                """    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    kept = np.where(mask, scores, -1e300)
    exponentials = np.exp(kept - kept.max(axis=-1, keepdims=True)) * mask
""",
            )
        ],
    ),
    Promise(
        "masked_softmax", "shape (..., S), S >= 1, any number of leading axes (also none).", "values: one row, no mask"
    ),
    Promise(
        "masked_softmax",
        "any shape that broadcasts to that of the scores.",
        "values: float32, a mask of three axes",
        broken=[
            (
                "np.where(mask, scores, -np.inf)",
                "np.where(mask[:, None] if (mask.ndim, scores.ndim) == (3, 4) else mask, scores, -np.inf)",
            ),
            (
                "np.where(mask, scores, -np.inf)",
                "np.where(mask if mask.shape[-1] == scores.shape[-1] else True, scores, -np.inf)",
            ),
        ],
    ),
    Promise(
        "masked_softmax",
        "An array is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), "
        "unless a docstring says otherwise.",
        "values: two axes, no mask",
        broken=[("return exponentials /", "return (exponentials > 1e-6) * exponentials /")],
    ),
    Promise("attention_scores", "Compare every query with every key by their dot product.", "values"),
    Promise(
        "attention_scores",
        "queries, shape (..., T, d), any number of leading axes (also none).",
        "values: one leading axis",
        broken=[("(q @ k.swapaxes(-1, -2))", "(q @ (k.swapaxes(-1, -2) if k.ndim == 4 else k.T))")],
    ),
    Promise(
        "attention_scores",
        "Any number is allowed, 0, negative and whole ones too.",
        "scale: a scale of two, a whole number",
        broken=[
            ("if scale is None else scale", "if not isinstance(scale, float) else scale"),
            ("if scale is None else scale", "if scale is None else scale * (abs(scale) > 1e-8)"),
        ],
    ),
    Promise("causal_mask", "Mask that lets every token see itself and what came before.", "values"),
    Promise(
        "padding_mask",
        "number of real tokens of each sequence, shape (N,), each from 0 to S, integers of any size, with or without "
        "sign.",
        "values: small integers without sign",
        broken=[
            ("< lengths[:, None, None, None]", "<= lengths[:, None, None, None] - 1"),
            ("np.arange(S) <", "np.arange(S).astype(lengths.dtype) <"),
        ],
    ),
    Promise(
        "scaled_dot_product_attention",
        "any shape that broadcasts to (..., T, S).",
        "masked: a mask for every head, for all sequences",
        broken=[
            ("scale=scale), mask)", "scale=scale), mask if mask is None or mask.ndim != 3 else mask[:, None])"),
            (
                "scale=scale), mask)",
                "scale=scale), mask if mask is None or mask.shape[-1] == k.shape[-2] else None)",
            ),
        ],
    ),
    Promise(
        "scaled_dot_product_attention",
        "queries, shape (..., T, d), any number of leading axes (also none);",
        "values: three leading axes",
    ),
    Promise(
        "scaled_dot_product_attention",
        "factor of the dot products, any number, as in ``attention_scores``;",
        "scale: a negative scale",
        broken=[
            (
                "attention_scores(q, k, scale=scale), mask)",
                "attention_scores(q * abs(s := q.shape[-1] ** -0.5 if scale is None else scale) ** 0.5, "
                "k * abs(s) ** 0.5, scale=1.0), mask)",
            )
        ],
    ),
    Promise(
        "scaled_dot_product_attention_backward",
        "gradient of the loss with respect to out, shape (..., T, e), any number of leading axes (also none), the same "
        "ones in all arrays.",
        "dq: three leading axes",
        broken=[
            (
                "weights.swapaxes(-1, -2) @ dout",
                'np.einsum("nhts,nhte->nhse", *(a[(None,) * (4 - a.ndim)] for a in (weights, dout))).reshape(v.shape)',
            )
        ],
    ),
    Promise(
        "scaled_dot_product_attention",
        "values, shape (..., S, e), with the same leading axes;",
        "values: one leading axis",
        broken=[
            (
                "weights @ v, weights",
                'np.einsum("...ij,...jk->...ik", weights, v.reshape(1, *v.shape[-3:]))[0], weights',
            )
        ],
    ),
    Promise(
        "scaled_dot_product_attention_backward",
        "Where nothing was seen they are 0, never NaN.",
        "dq: masked, and queries that saw nothing",
    ),
    Promise("softmax_jacobian", "The backward pass never builds this matrix;", "values"),
    Promise(
        "softmax_jacobian",
        "In weights, and in their differences such as p - p^2, rounding errors of numbers near 1 pass as well (1e-15, "
        "in float32 1e-6), however small they are: the formulas may be taken literally.",
        needless="no answer is as small as that in any case",
        before="unless a docstring says otherwise. Whole numbers",
    ),
    Promise("project_qkv", "Give every token its query, its key and its value:", "values"),
    Promise(
        "split_heads",
        "Divide the features of every token among the heads, d = D / num_heads neighbouring ones for each.",
        "values",
    ),
    Promise(
        "split_heads",
        "shape (N, T, D), float32 or float64 (infinities and NaN too), truth values, or integers of any dtype, none "
        "beyond 2**53.",
        "values: infinities and NaN",
        before="shape (N, T, D), any dtype of numbers or truth values",
        broken=[
            ("return x.reshape", "return (1 * x).reshape"),
            ("return x.reshape", "return (np.einsum('ntd,de->nte', x, np.eye(D)).astype(x.dtype)).reshape"),
            ("return x.reshape", "return (x if x.dtype.kind in 'bf' else np.float32(x).astype(x.dtype)).reshape"),
            ("return x.reshape", "return (x if x.dtype.kind in 'bf' else x.astype(int)).reshape"),
        ],
    ),
    Promise(
        "merge_heads",
        "shape (N, heads, T, d), float32 or float64 (infinities and NaN too), truth values, or integers of any dtype, "
        "none beyond 2**53.",
        "values: infinities and NaN",
        before="shape (N, heads, T, d), any dtype of numbers or truth values",
        broken=[
            ("return x.swapaxes", "return x.astype(float).swapaxes"),
            ("return x.swapaxes", "return (1 * x).swapaxes"),
            ("return x.swapaxes", "return np.nan_to_num(x).astype(x.dtype).swapaxes"),
            ("return x.swapaxes", "return (x if x.dtype.kind in 'bf' else np.float32(x).astype(x.dtype)).swapaxes"),
            ("return x.swapaxes", "return (x if x.dtype.kind in 'bf' else np.abs(x)).swapaxes"),
        ],
    ),
    Promise("multi_head_attention", "Every token is projected to query, key and value (``project_qkv``);", "values"),
    Promise(
        "multi_head_attention",
        "every head attends for itself, with the scale 1 / sqrt(d), d the features of one head;",
        "values",
    ),
    Promise("multi_head_attention", "any shape that broadcasts to (N, heads, T, S).", "memory: padding of the memory"),
    Promise("multi_head_attention", "the weights of every head, not their mean.", "weights"),
    Promise(
        "causal_mask",
        "later calls must not change it.",
        "values: an answer that is kept while another is given",
        before="a view of an argument or one that you keep: nobody writes into it.",
    ),
    Promise(
        "scaled_dot_product_attention_backward",
        "the factor of the forward pass, any number;",
        "dq: a negative scale near zero",
        broken=[
            ("if scale is None else scale", "if scale is None else abs(scale)"),
            ("if scale is None else scale", "if scale is None else scale * (abs(scale) > 1e-8)"),
        ],
    ),
    Promise(
        "scaled_dot_product_attention",
        "weights = masked_softmax(scale * q k^T, mask)",
        "masked: scores below minus ten thousand, masked",
        broken=[
            (
                "masked_softmax(attention_scores(q, k, scale=scale), mask)",
                "masked_softmax(np.where(True if mask is None else mask, attention_scores(q, k, scale=scale), -1e4)) "
                "* (True if mask is None else np.any(mask, axis=-1, keepdims=True))",
            )
        ],
    ),
    Promise(
        "multi_head_attention",
        "Scores, masked ones too, are finite and lie between -1e6 and 1e6 in every function.",
        "values: scores below minus ten thousand, masked",
        broken=[
            (
                "scaled_dot_product_attention(q, k, v, mask)",
                "scaled_dot_product_attention(q, k, v, mask) if mask is None else ((w := masked_softmax(np.where("
                "mask, attention_scores(q, k), -1e5)) * mask) @ v, w)",
            )
        ],
    ),
    Promise("sinusoidal_positions", "number of positions, from 1 to 10000.", "values: many positions"),
    Promise(
        "permutation_error",
        "Arrays may come with any strides (transposed, reversed or sliced, say) and must not be changed.",
        "values: a layer that hands on what it gets",
    ),
    Promise(
        "softmax_jacobian",
        "the weights, shape (n,), not negative, with sum 1.",
        "values: nearly all on one",
        broken=[("np.diag(p) - np.outer(p, p)", "np.diag(np.maximum(p, 1e-12)) - np.outer(p, p)")],
    ),
    Promise(
        "sense_shift",
        "The zero vector has no direction:",
        "gain: vectors that sum to zero",
        broken=[
            ("return _cosine(word, a)", "return bool(word.sum()) * _cosine(word, a)"),
            ("return _cosine(word, a)", "return bool(word.all()) * _cosine(word, a)"),
        ],
    ),
    Promise(
        "sense_shift",
        "where cos is the cosine of the angle between two vectors, u . v / (|u| |v|).",
        "gain: a word that has turned right round",
        broken=[("preference(after) - preference(before)", "max(min(preference(after) - preference(before), 2), -2)")],
    ),
    Promise(
        "multi_head_attention_backward",
        "Where a query sees nothing in a head, no gradient flows through that head for it, and none is NaN.",
        "dx: queries that see nothing in one head",
        before="A query that sees nothing contributes nothing, never NaN.",
        broken=[
            (
                'split_heads(dy @ params["out_proj.weight"], num_heads)',
                'split_heads(weights[:, 0].any(axis=-1)[..., None] * (dy @ params["out_proj.weight"]), num_heads)',
            ),
            (
                'split_heads(dy @ params["out_proj.weight"], num_heads)',
                'split_heads(weights.any(-1).all(axis=1)[..., None] * (dy @ params["out_proj.weight"]), num_heads)',
            ),
        ],
    ),
    Promise(
        "multi_head_attention_backward",
        "as in the forward pass.",
        "dx: a mask for every head, for all sequences",
        broken=[
            (
                "scaled_dot_product_attention(q, k, v, mask)",
                "scaled_dot_product_attention(q, k, v, mask if mask is None or mask.ndim != 3 else mask[:, None])",
            )
        ],
    ),
    Promise(
        "multi_head_attention_backward",
        "Scores, masked ones too, are finite and lie between -1e6 and 1e6 in every function.",
        "dx: scores below minus ten thousand, masked",
        broken=[
            (
                "scaled_dot_product_attention(q, k, v, mask)",
                "scaled_dot_product_attention(q, k, v, mask) if mask is None else ((w := masked_softmax(np.where("
                "mask, attention_scores(q, k), -1e4)) * mask) @ v, w)",
            )
        ],
    ),
    Promise(
        "multi_head_attention_backward",
        "Its dy counts in the gradient of ``out_proj.bias`` all the same.",
        "out_proj: queries that see nothing",
        broken=[
            (
                '"out_proj.bias": dy.sum(axis=(0, 1))',
                '"out_proj.bias": (dy * weights.any(axis=(1, 3))[..., None]).sum(axis=(0, 1))',
            )
        ],
    ),
    Promise(
        "sinusoidal_positions",
        "Describe every position by D numbers between -1 and 1, which are added to its token.",
        "values",
    ),
    Promise(
        "sinusoidal_positions",
        "number of features, from 2 to 1000.",
        "values: many features",
        broken=[
            ("np.arange(0, D, 2) / D", "np.arange(0, 1, 2 / D)"),
            ("base ** (-np.arange(0, D, 2) / D)", "1 / (float(base) ** np.arange(0, D, 2)) ** (1 / D)"),
        ],
    ),
    Promise(
        "permutation_error",
        "The layer takes an array of the shape of x, with as many sequences (each may be treated in another way, by "
        "its mask, say), and does not write into it, but may return it.",
        "values: sequences that are treated in different ways",
        before="The layer takes shape (N, T, D), keeps the order of its outputs' first two axes, and is deterministic.",
        broken=[
            (
                "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation])",
                "np.abs((y := layer(np.concatenate([x[:, permutation], x])))[: len(x)] - y[len(x) :][:, permutation])",
            ),
            (
                "np.abs(layer(x[:, permutation]) - layer(x)[:, permutation])",
                "np.abs(layer(x[:1, permutation]) - layer(x[:1])[:, permutation])",
            ),
        ],
    ),
    Promise(
        "permutation_error",
        "where each token comes from, shape (T,), every one of 0, ..., T - 1 once, integers of any size, with or "
        "without sign.",
        "values: positions, small integers without sign",
        broken=[("abs(layer(x[:, permutation])", "abs(layer(x[:, permutation - len(permutation)])")],
    ),
    Promise(
        "incremental_attention",
        "What came before does not change any more, so its keys and values are kept in a cache and never "
        "computed again.",
        "cache",
    ),
    Promise(
        "incremental_attention",
        "However a sequence is cut into pieces, the outputs together are those of one causal pass over the whole.",
        "values: scores below minus ten thousand",
        broken=[
            (
                "    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))",
                "    seen = causal_mask(q.shape[2], k.shape[2])\n"
                "    out = masked_softmax(np.where(seen, attention_scores(q, k), q.dtype.type(-1e4))) @ v",
            ),
            (
                "    out, _ = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))",
                "    _, weights = scaled_dot_product_attention(q, k, v, causal_mask(q.shape[2], k.shape[2]))\n"
                "    out = weights * (weights > 1e-6) @ v",
            ),
        ],
    ),
    Promise(
        "incremental_attention",
        "The arrays are never written to, nor are those that were returned:",
        "unchanged: one cache, two candidates",
    ),
    Promise(
        "retrieve",
        "Look something up in a dictionary whose every entry counts, the more the better its key fits.",
        "values",
    ),
    Promise(
        "retrieve",
        "Dot products reach from -1e4 to 1e4, and temperatures go down to 0.01.",
        "extremes: a temperature near zero",
        broken=[
            ("/ float(temperature)", "/ max(float(temperature), 0.05)"),
            ("keys @ query / float(temperature)", "(s := keys @ query), s == s.max() if temperature < 0.05 else None"),
        ],
    ),
    Promise(
        "retrieve",
        "a high one averages all.",
        "values: a high temperature",
        broken=[
            ("weights @ values, weights", "values.mean(axis=0) if temperature > 10 else weights @ values, weights")
        ],
    ),
    Promise(
        "retrieve",
        "(In float32, where dot products have fewer digits, a dot product divided by the temperature lies between -100 "
        "and 100.)",
        "extremes: quotients of dozens, float32",
        before="their quotients reach from -100 to 100.",
    ),
    Promise(
        "retrieve",
        "weights = softmax(keys @ query / temperature)",
        "extremes: large dot products near one another",
        broken=[
            (
                "masked_softmax(keys @ query / float(temperature))",
                "masked_softmax(s := keys @ query / float(temperature), s == s.max() if abs(s).max() > 700 else None)",
            )
        ],
    ),
    Promise(
        "retrieve",
        "ValueError: the temperature is zero or negative.",
        "errors",
        swallowed=["temperature == 0", "temperature < 0"],
    ),
    Promise("sense_shift", "its cosine with any vector is defined as 0 here.", "zeros"),
    Promise(
        "sense_shift",
        "Every other vector has one;",
        "gain: words 1e-50 long",
        before="Every other vector has one, be it 1e-50 or 1e50 long (in float32 1e-8 or 1e8). The gain",
        broken=[
            (
                "_cosine(word, a) - _cosine(word, b)",
                "float(word @ a / (np.linalg.norm(word) * np.linalg.norm(a) + 1e-12) - word @ b / "
                "(np.linalg.norm(word) * np.linalg.norm(b) + 1e-12))",
            ),
            (
                "_cosine(word, a) - _cosine(word, b)",
                "(_cosine(word, a) - _cosine(word, b)) * (np.linalg.norm(word) > 1e-12)",
            ),
            (
                "_cosine(word, a) - _cosine(word, b)",
                "float(word @ a / np.sqrt((word @ word) ** 2 * (a @ a) ** 2) ** 0.5 - _cosine(word, b)) if "
                "word.any() and a.any() else -_cosine(word, b)",
            ),
        ],
    ),
    Promise(
        "sense_shift",
        "it is from 1e-50 to 1e50 long (in float32 from 1e-8 to 1e8), and so is the distance where it is not 0.",
        "distance: words 1e-50 long",
        broken=[("np.linalg.norm(after - before)", "((after - before) ** 4).sum() ** 0.25")],
    ),
    Promise(
        "sense_shift",
        "The gain may be off by 1e-7 (in float32 by 1e-4), however small the gain is;",
        "gain: a word that has hardly turned",
        before="Errors up to 1e-7 of the gain pass.",
    ),
    Promise(
        "sense_shift",
        "the distance may be off by 1e-9 (in float32 1e-4) of itself, also where the word has hardly moved.",
        "distance: a word that has hardly moved",
        broken=[
            (
                "float(np.linalg.norm(after - before))",
                "float(max(after @ after + before @ before - 2 * (after @ before), 0.0)) ** 0.5",
            ),
            (
                "float(np.linalg.norm(after - before))",
                "0.0 if np.allclose(before, after, rtol=1e-9, atol=0) else float(np.linalg.norm(after - before))",
            ),
        ],
    ),
    Promise(
        "permutation_error",
        "where outputs near 1 differ by 1e-6, the answer is 1e-6.",
        "values: positions of little weight",
        broken=[
            (
                "return float(",
                "return 0.0 if np.allclose(layer(x[:, permutation]), layer(x)[:, permutation]) else float(",
            )
        ],
    ),
    Promise(
        "permutation_error",
        "(Outputs lie between -10 and 10;",
        needless="an allowance for those who measure",
        before="Self-attention without positions and without a causal mask does so. The layer",
    ),
    Promise(
        "permutation_error",
        "where they differ by rounding errors alone, an answer below 1e-12, in float32 below 1e-5, is right.)",
        "values: tokens on their own",
    ),
    Promise(
        "scaled_dot_product_attention",
        "out[..., i, :] = sum over j of weights[..., i, j] * v[..., j, :]",
        "values: scores of thousands, some near one another",
        broken=[
            (
                "scale=scale), mask)",
                "scale=scale), (s := attention_scores(q, k, scale=scale)) == s.max(-1, keepdims=True) "
                "if mask is None and abs(attention_scores(q, k, scale=scale)).max() > 700 else mask)",
            )
        ],
    ),
    Promise(
        "multi_head_attention",
        "An answer depends on the arguments of its own call alone, and not on those of earlier calls, nor on what has "
        "been written into their answers since;",
        "memory: an answer among others, to other arguments",
        before="and not on those of earlier calls; later calls",
    ),
    Promise(
        "RecallModel",
        "So in evaluation mode a list's logits do not depend on the other lists of the batch, nor on the order of its "
        "pairs (but for rounding errors).",
        "lists: short lists, scores far from one another",
        before="So a list's logits do not depend",
        broken=[
            ("scores.softmax(dim=1)", "((e := (scores - scores.max()).exp()) / e.sum(dim=1, keepdim=True))"),
            ("scores.softmax(dim=1)", "((e := scores.exp()) / e.sum(dim=1, keepdim=True))"),
        ],
    ),
    Promise(
        "RecallModel",
        "number of different values.",
        "lists: short lists, scores far from one another",
        broken=[("nn.Linear(dim, num_values)", "nn.Linear(dim, 8)")],
    ),
    Promise(
        "SenseModel",
        "In evaluation mode those of a sequence do not depend on the others of its batch.",
        "tied: a model turned to float64, scores far from one another",
        broken=[
            ("return x + self.attention(x)", "return x + self.attention(x.transpose(0, 1)).transpose(0, 1)"),
            (
                "return x + self.attention(x)",
                "scores = x @ self.attention.in_proj_weight[: x.shape[2]] @ x.transpose(1, 2)\n"
                "        weights = (scores - scores.max()).exp()\n"
                "        return x + weights / weights.sum(dim=2, keepdim=True) @ x",
            ),
        ],
    ),
    Promise(
        "MultiHeadAttention",
        "Register the parameters in the default dtype, with initial values of your choice:",
        "parameters: the default dtype",
        broken=[
            ("torch.randn(3 * embed_dim, embed_dim)", "torch.randn(3 * embed_dim, embed_dim, dtype=torch.float32)"),
            ("torch.zeros(3 * embed_dim)", "torch.zeros(3 * embed_dim, dtype=torch.float32)"),
            ("nn.Linear(embed_dim, embed_dim)", "nn.Linear(embed_dim, embed_dim, dtype=torch.float32)"),
        ],
    ),
    Promise(
        "MultiHeadAttention",
        "Scores, masked ones too, are finite and lie between -1e6 and 1e6.",
        "values: scores below minus ten thousand, masked",
        broken=[("torch.finfo(scores.dtype).min", "-1e4"), ("torch.finfo(scores.dtype).min", "-1e5")],
    ),
    Promise(
        "MultiHeadAttention",
        "A query that sees nothing retrieves zeros, so its y is ``out_proj.bias``;",
        "gradients: a mask for every head, queries that see nothing in one",
        broken=[
            (
                "return self.out_proj((attention @ v)",
                "return self.out_proj((attention @ v * attention.detach().any(-1).all(1)[:, None, :, None])",
            )
        ],
    ),
    Promise(
        "SenseModel",
        "initialized with independent normal entries of mean 0 and standard deviation 1 / sqrt(dim).",
        "table: a table of 300 words",
        broken=[
            (
                "        nn.init.normal_(self.embedding.weight, std=dim**-0.5)\n",
                "        self.embedding.weight.data = F.normalize(self.embedding.weight.data, dim=1)\n",
            ),
            (
                "nn.init.normal_(self.embedding.weight, std=dim**-0.5)",
                "nn.init.orthogonal_(self.embedding.weight, (vocab_size / dim) ** 0.5)",
            ),
        ],
    ),
    Promise(
        "SenseModel",
        "The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; "
        "results have the same, those of a module that has been turned to float64 (``model.double()``) too.",
        "tied: a model turned to float64, scores far from one another",
        broken=[("return x + self.attention(x)", "return (x + self.attention(x)).float()")],
    ),
    Promise(
        "RecallModel",
        "results have the same, those of a module that has been turned to float64 (``model.double()``) too.",
        "lists",
        broken=[("self.value(values)).squeeze(1))", "self.value(values)).squeeze(1)).float()")],
    ),
    Promise(
        "RecallModel",
        "features of a key or value, divisible by 4.",
        "recall",
        before="dim: features of a key or value. ",
    ),
    Promise(
        "RecallModel",
        "the value of each key, shape (N, S), int64.",
        "recall",
        before="the value of each key, shape (N, S). query",
    ),
    Promise(
        "chunked_attention",
        "The values are those of ``F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)``, also for scores "
        "from -1e4 to 1e4, whose exponentials overflow or are all 0.",
        "values: scores of thousands",
        broken=[
            ("scores.softmax(dim=-1)", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))"),
            ("scores.softmax(dim=-1)", "scores.clamp(-80, 80).softmax(dim=-1)"),
            ('float("-inf")', "-1e4"),
        ],
    ),
    Promise("MultiHeadAttention", "any shape that broadcasts to (N, heads, T, S).", "values: padding of the memory"),
    Promise("SenseModel", "Calling the model compares each vector in context with the vector of every word.", "tied"),
    Promise(
        "SenseModel",
        "It has to take sequences of any length up to 16, in batches of any size from 1 on.",
        "tied: one long sentence",
        before="in batches of any size.",
    ),
    Promise(
        "SenseModel",
        "it draws 1000 sentences (``draw_sentences`` in ``provided.py``) and makes 300 steps with Adam, learning "
        "rate 0.01, on 64 of them each, dim = 32:",
        "senses",
    ),
    Promise(
        "RecallModel",
        "The key asked for is compared with every key of the list, and the values are averaged by how well their "
        "keys fit.",
        "recall",
    ),
    Promise(
        "RecallModel",
        "And since what was learnt on short lists is how to look up, and not what stands where, the model works "
        "on lists that are longer than any it was trained on.",
        "recall",
    ),
    Promise(
        "RecallModel",
        "with two, the model would have to learn for every single key that its two vectors mean the same, and "
        "the training is too short for that.",
        "recall",
    ),
    Promise(
        "RecallModel",
        "it makes 300 steps with Adam, learning rate 0.01, each on 64 new lists of 64 pairs (``draw_lists`` in "
        "``provided.py``), with 2048 keys, 8 values and dim = 48;",
        "recall",
    ),
    Promise(
        "RecallModel", "Then, in evaluation mode, it asks for one key in each of 200 lists of 1024 pairs:", "recall"
    ),
    Promise(
        "RecallModel",
        "How the model is built is yours to choose;",
        "recall",
        before="Register the parameters, with the initial values that PyTorch's modules give them.",
    ),
    Promise("chunked_attention", "scaled dot-product attention that never holds all T x T weights.", "memory"),
    Promise(
        "chunked_attention",
        "what the call holds at its peak, its arguments not counted, takes fewer bytes than N * heads * T * T / 2 "
        "numbers of their dtype, half of a T x T matrix for every head of every sequence.",
        "memory: one head of one sequence, causal",
        before="may take at most as many bytes",
        broken=[
            (
                "    for start in range(0, T, chunk):\n",
                "    shared = q.new_full((T, T), float('-inf')).triu_(1)\n    for start in range(0, T, chunk):\n",
            )
        ],
    ),
)

NEVER_ONE = "there are always several words or values to choose from"

EQUIVALENTS = (
    *equivalents(
        "attention",
        "masked_softmax",
        "71594412",
        ("where anything is kept, the largest exponential is 1", "total == 0", ["abs(total) <= 1e-10"]),
    ),
    *equivalents(
        "attention",
        "split_heads",
        "0f287b5f",
        (
            "the answer is a view of x, and shows what x holds now",
            "the answer",
            ["that to the last call with the same objects"],
        ),
    ),
    *equivalents(
        "attention",
        "retrieve",
        "86d722b3",
        ("no temperature between 0 and 0.01 is asked for", "temperature <= 0", ["temperature <= 1e-10"]),
    ),
    *equivalents(
        "attention_torch",
        "MultiHeadAttention",
        "62eccadd",
        (
            "weights are finite, and times False they are 0",
            "scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0)",
            ["scores.masked_fill(~mask, lowest).softmax(dim=-1) * mask"],
        ),
    ),
    *equivalents(
        "attention_torch",
        "SenseModel",
        "e668da2c",
        (NEVER_ONE, "forward: the answer", ["without a last axis of one"]),
    ),
    *equivalents(
        "attention_torch",
        "RecallModel",
        "1b00abd8",
        (NEVER_ONE, "forward: the answer", ["without a last axis of one"]),
    ),
)
