"""Correct but unusual solutions of assignment 6, each with the over-strict rule that would reject it."""

from __future__ import annotations

from autograder.course import Alternative

ALTERNATIVES = (
    Alternative(
        "lowest number instead of minus infinity, renormalized",
        "masked_softmax",
        # would be rejected by: the hidden scores must become minus infinity
        """
def masked_softmax(scores, mask=None):
    mask = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    s = np.where(mask, scores, np.finfo(scores.dtype).min)
    weights = np.exp(s - s.max(axis=-1, keepdims=True)) * mask
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(weights / weights.sum(axis=-1, keepdims=True))
""",
    ),
    Alternative(
        "row by row, kept scores picked out, a nested list",
        "masked_softmax",
        # would be rejected by: the result must be an array
        """
def masked_softmax(scores, mask=None):
    if scores.ndim > 1:
        masks = [None] * len(scores) if mask is None else np.broadcast_to(mask, scores.shape)
        return [masked_softmax(s, m) for s, m in zip(scores, masks)]
    kept = np.arange(len(scores)) if mask is None else np.flatnonzero(np.broadcast_to(mask, scores.shape))
    row = [scores.dtype.type(0)] * len(scores)
    if len(kept):
        top = max(scores[kept])
        powers = [np.exp(scores[j] - top) for j in kept]
        for j, power in zip(kept, powers):
            row[j] = power / sum(powers)
    return row
""",
    ),
    Alternative(
        "queries scaled first, einsum",
        "attention_scores",
        # would be rejected by: the scale must multiply the product
        """
def attention_scores(q, k, *, scale=None):
    if scale is None:
        scale = float(q.shape[-1]) ** (-1 / 2)
    return np.einsum("...id,...jd->...ij", q * scale, k)
""",
    ),
    Alternative(
        "places compared",
        "causal_mask",
        # would be rejected by: np.tri or np.tril must be used
        """
def causal_mask(T, S=None):
    if S is None:
        S = T
    return np.subtract.outer(np.arange(S - T, S), np.arange(S)) >= 0
""",
    ),
    Alternative(
        "truth values in nested lists",
        "padding_mask",
        # would be rejected by: the result must be an array of truth values
        """
def padding_mask(lengths, S):
    return [[[[True] * int(n) + [False] * (S - int(n))]] for n in lengths]
""",
    ),
    Alternative(
        "one query after another",
        "scaled_dot_product_attention",
        # would be rejected by: no Python loop over the queries
        """
def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    lead, T, S = q.shape[:-2], q.shape[-2], k.shape[-2]
    factor = 1 / q.shape[-1] ** 0.5 if scale is None else scale
    allowed = np.ones((T, S), bool) if mask is None else mask
    allowed = np.broadcast_to(allowed, (*lead, T, S))
    out = np.zeros_like(v, shape=(*lead, T, v.shape[-1]))
    weights = np.zeros_like(q, shape=(*lead, T, S))
    for place in np.ndindex(*lead, T):
        seen = allowed[place]
        if seen.any():
            s = factor * (k[place[:-1]][seen] @ q[place])
            w = np.exp(s - s.max())
            weights[(*place, seen)] = w / w.sum()
        out[place] = weights[place] @ v[place[:-1]]
    return out, weights
""",
    ),
    Alternative(
        "a bias of minus infinity added, normalized at the end",
        "scaled_dot_product_attention",
        # would be rejected by: the weights must be normalized before they meet the values
        """
def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    s = attention_scores(q, k, scale=scale)
    if mask is not None:
        with np.errstate(divide="ignore"):
            s = s + np.log(mask).astype(s.dtype)
    e = np.exp(s - np.maximum(s.max(-1, keepdims=True), np.finfo(s.dtype).min))
    total = e.sum(-1, keepdims=True)
    total += total == 0
    return [(e @ v) / total, e / total]
""",
    ),
    Alternative(
        "Jacobians built and applied",
        "scaled_dot_product_attention_backward",
        # would be rejected by: the Jacobian of the softmax must not be built
        """
def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    scale = 1 / float(q.shape[-1]) ** 0.5 if scale is None else scale
    eye = np.eye(weights.shape[-1], dtype=weights.dtype)
    jacobians = weights[..., :, None] * eye - weights[..., :, None] * weights[..., None, :]
    dp = np.einsum("...ie,...je->...ij", dout, v)
    ds = np.einsum("...ijk,...ik->...ij", jacobians, dp)
    return (
        np.einsum("...ij,...jd->...id", ds, scale * k),
        np.einsum("...ij,...id->...jd", ds, scale * q),
        np.einsum("...ij,...ie->...je", weights, dout),
    )
""",
    ),
    Alternative(
        "row sums from the outputs",
        "scaled_dot_product_attention_backward",
        # would be rejected by: the sums must be taken over the keys
        """
def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    out = weights @ v
    row = np.sum(dout * out, axis=-1)[..., None]
    ds = np.multiply(weights, np.matmul(dout, np.moveaxis(v, -1, -2)) - row)
    ds *= scale
    return [ds @ k, np.moveaxis(np.moveaxis(q, -1, -2) @ ds, -1, -2), np.swapaxes(weights, -1, -2) @ dout]
""",
    ),
    Alternative(
        "weights times what is left",
        "softmax_jacobian",
        # would be rejected by: the diagonal must come from np.diag
        """
def softmax_jacobian(p):
    rows = []
    for i, weight in enumerate(p):
        row = weight * -p
        row[i] = weight - weight * weight
        rows.append(row)
    return np.stack(rows)
""",
    ),
    Alternative(
        "three layers, one after the other",
        "project_qkv",
        # would be rejected by: the projections must be one product
        """
def project_qkv(x, weight, bias):
    D = x.shape[-1]
    out = []
    for start in range(0, 3 * D, D):
        block = slice(start, start + D)
        out.append(np.tensordot(x, weight[block], axes=(-1, -1)) + bias[block])
    return out
""",
    ),
    Alternative(
        "slices stacked",
        "split_heads",
        # would be rejected by: reshape must be used
        """
def split_heads(x, num_heads):
    try:
        return np.stack(np.split(x, num_heads, axis=-1), axis=1)
    except ValueError as error:
        raise ValueError("the heads do not divide the features") from error
""",
    ),
    Alternative(
        "heads joined in a list",
        "merge_heads",
        # would be rejected by: the result must be a view of its argument where it can be
        """
def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, 1, 0)), axis=-1)
""",
    ),
    Alternative(
        "every head with matrices of its own",
        "multi_head_attention",
        # would be rejected by: split_heads and merge_heads must be called
        """
def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    D = x.shape[-1]
    d = D // num_heads
    W = params["in_proj_weight"].reshape(3, num_heads, d, D)
    b = params["in_proj_bias"].reshape(3, num_heads, d)
    searched = x if memory is None else memory
    if mask is not None:
        mask = np.broadcast_to(mask, (len(x), num_heads, x.shape[1], searched.shape[1]))
    y, weights = np.broadcast_to(params["out_proj.bias"], x.shape).copy(), []
    for h in range(num_heads):
        q, k, v = (t @ W[i, h].T + b[i, h] for i, t in enumerate((x, searched, searched)))
        out, w = scaled_dot_product_attention(q, k, v, None if mask is None else mask[:, h])
        y += out @ params["out_proj.weight"][:, h * d : (h + 1) * d].T
        weights.append(w)
    return y, np.stack(weights, axis=1)
""",
    ),
    Alternative(
        "everything by einsum, head by head",
        "multi_head_attention_backward",
        # would be rejected by: the gradients must be assembled by merge_heads
        """
def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    (N, T, D), H = x.shape, num_heads
    d = D // H
    W, b = params["in_proj_weight"].reshape(3, H, d, D), params["in_proj_bias"].reshape(3, H, d)
    O = params["out_proj.weight"].reshape(D, H, d)
    q, k, v = (np.einsum("ntj,hij->nhti", x, W[i]) + b[i][None, :, None] for i in range(3))
    out, p = scaled_dot_product_attention(q, k, v, mask)
    dout = np.einsum("ntj,jhi->nhti", dy, O)
    ds = p * (np.einsum("nhti,nhsi->nhts", dout, v) - (dout * out).sum(-1, keepdims=True)) * d**-0.5
    heads = [
        np.einsum("nhts,nhsi->nhti", ds, k),
        np.einsum("nhts,nhti->nhsi", ds, q),
        np.einsum("nhts,nhti->nhsi", p, dout),
    ]
    grads = {"out_proj.bias": np.einsum("ntj->j", dy)}
    grads["out_proj.weight"] = np.einsum("ntj,nhti->jhi", dy, out).reshape(D, D)
    grads["in_proj_bias"] = np.concatenate([g.sum((0, 2)).ravel() for g in heads])
    grads["in_proj_weight"] = np.concatenate([np.einsum("nhti,ntj->hij", g, x).reshape(D, D) for g in heads])
    dx = sum(np.einsum("nhti,hij->ntj", g, w) for g, w in zip(heads, W))
    return dx, grads
""",
    ),
    Alternative(
        "hands of complex clocks",
        "sinusoidal_positions",
        # would be rejected by: sine and cosine must be called
        """
def sinusoidal_positions(T, D, base=10000.0):
    if D & 1:
        raise ValueError("an odd number of features")
    frequencies = np.exp(-np.log(base) * 2 * np.arange(D // 2) / D)
    clocks = np.exp(1j * np.arange(T)[:, np.newaxis] * frequencies)
    positions = np.empty((T, D))
    positions[:, ::2], positions[:, 1::2] = clocks.imag, clocks.real
    return positions
""",
    ),
    Alternative(
        "shuffled back before comparing",
        "permutation_error",
        # would be rejected by: the output must be indexed by the permutation
        """
def permutation_error(layer, x, permutation):
    back = np.empty(len(permutation), int)
    back[permutation] = range(len(permutation))
    there = layer(np.take(x, permutation, axis=1))
    return np.linalg.norm((there[:, back] - layer(x)).ravel(), np.inf)
""",
    ),
    Alternative(
        "token by token, and the cache a list",
        "incremental_attention",
        # would be rejected by: the cache must be a tuple
        """
def incremental_attention(q, k, v, cache=None):
    keys, values = (a[:, :, :0] for a in (k, v)) if cache is None else cache
    outputs = []
    for t in range(q.shape[2]):
        now = slice(t, t + 1)
        keys = np.append(keys, k[:, :, now], axis=2)
        values = np.append(values, v[:, :, now], axis=2)
        out, _ = scaled_dot_product_attention(q[:, :, now], keys, values)
        outputs.append(out)
    return np.concatenate(outputs, axis=2), [keys, values]
""",
    ),
    Alternative(
        "old and new apart, joined by their weights",
        "incremental_attention",
        # would be rejected by: the scores must be computed on joined keys
        """
def incremental_attention(q, k, v, cache=None):
    L = q.shape[2]
    s = np.where(np.arange(L) <= np.arange(L)[:, None], attention_scores(q, k), -np.inf)
    if cache is None:
        return masked_softmax(s) @ v, (k, v)
    old = attention_scores(q, cache[0])
    top = np.maximum(s.max(-1, keepdims=True), old.max(-1, keepdims=True))
    a, b = np.exp(old - top), np.exp(s - top)
    out = (a @ cache[1] + b @ v) / (a.sum(-1, keepdims=True) + b.sum(-1, keepdims=True))
    return out, tuple(np.concatenate(both, axis=-2) for both in zip(cache, (k, v)))
""",
    ),
    Alternative(
        "attention with a scale",
        "retrieve",
        # would be rejected by: the softmax must be called here
        """
def retrieve(query, keys, values, *, temperature=1.0):
    if not temperature > 0:
        raise ValueError(temperature)
    out, weights = scaled_dot_product_attention(query[None], keys, values, scale=1 / float(temperature))
    return out[0], weights[0]
""",
    ),
    Alternative(
        "logarithms first",
        "retrieve",
        # would be rejected by: the largest must be subtracted
        """
def retrieve(query, keys, values, *, temperature=1.0):
    if temperature <= 0:
        raise ValueError("too cold")
    scores = np.array([np.vdot(key, query) for key in keys]) / temperature
    weights = np.exp(scores - np.logaddexp.reduce(scores))
    return sum(w * value for w, value in zip(weights, values)), list(weights)
""",
    ),
    Alternative(
        "unit vectors in one matrix",
        "sense_shift",
        # would be rejected by: cosines must be computed one by one
        """
def sense_shift(before, after, a, b):
    stack = np.stack([before, after, a, b])
    lengths = np.sqrt(np.einsum("ij,ij->i", stack, stack))
    unit = np.divide(stack, lengths[:, None], out=np.zeros_like(stack), where=lengths[:, None] > 0)
    cosines = unit[:2] @ unit[2:].T
    leaning = cosines[:, 0] - cosines[:, 1]
    return np.array(sum((after - before) ** 2) ** 0.5), leaning[1] - leaning[0]
""",
    ),
    Alternative(
        "three projections, minus infinity, repaired rows",
        "MultiHeadAttention",
        # would be rejected by: the hidden scores must stay finite
        '''
class MultiHeadAttention(nn.Module):
    """多头注意力。"""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.embed_dim, self.heads, self.dropout = embed_dim, num_heads, nn.Dropout(0.0)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=True)
        self.register_parameter("in_proj_weight", nn.Parameter(torch.empty(3 * embed_dim, embed_dim)))
        self.register_parameter("in_proj_bias", nn.Parameter(torch.zeros(3 * embed_dim)))
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, x, memory=None, mask=None):
        D, h = self.embed_dim, self.heads
        searched = memory if memory is not None else x
        W, b = self.in_proj_weight, self.in_proj_bias
        q = torch.einsum("ntj,ij->nti", x, W[:D]) + b[:D]
        k = torch.einsum("nsj,ij->nsi", searched, W[D : 2 * D]) + b[D : 2 * D]
        v = torch.einsum("nsj,ij->nsi", searched, W[2 * D :]) + b[2 * D :]
        q, k, v = (a.view(len(a), a.shape[1], h, D // h) for a in (q, k, v))
        s = torch.einsum("nthd,nshd->nhts", q / (D // h) ** 0.5, k)
        if mask is not None:
            s = torch.where(mask, s, s.new_tensor(float("-inf")))
        w = torch.where(torch.isneginf(s).all(-1, keepdim=True), torch.zeros_like(s), s.softmax(-1))
        return self.out_proj(self.dropout(torch.einsum("nhts,nshd->nthd", w, v).flatten(-2)))
''',
    ),
    Alternative(
        "scores renormalized by hand",
        "MultiHeadAttention",
        # would be rejected by: softmax must be called
        '''
class MultiHeadAttention(nn.Module):
    """Exponentials, zeros where the mask hides, and a division."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / embed_dim)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        n, t, D = x.shape
        q, k, v = F.linear(x, self.in_proj_weight, self.in_proj_bias).split(D, dim=-1)
        if memory is not None:
            _, k, v = F.linear(memory, self.in_proj_weight, self.in_proj_bias).split(D, dim=-1)
        q, k, v = (torch.stack(a.chunk(self.num_heads, dim=-1), dim=1) for a in (q, k, v))
        scores = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
        keep = torch.ones_like(scores) if mask is None else mask.expand(scores.shape).to(scores.dtype)
        top = scores.detach().masked_fill(keep == 0, -1e30).amax(-1, keepdim=True)
        powers = torch.exp((scores - top).clamp(max=0)) * keep
        total = powers.sum(-1, keepdim=True)
        out = (powers / torch.where(total > 0, total, torch.ones_like(total))) @ v
        return self.out_proj(torch.cat(out.unbind(1), dim=-1))
''',
    ),
    Alternative(
        "positions, four heads, normalized",
        "SenseModel",
        # would be rejected by: the layer must be the reference's
        '''
class SenseModel(nn.Module):
    """One layer as in a transformer."""

    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(torch.randn(vocab_size, dim) / dim**0.5, freeze=False)
        self.places = nn.Parameter(torch.randn(16, dim) / dim**0.5)
        self.attention = MultiHeadAttention(dim, 4)
        self.norm = nn.LayerNorm(dim)

    def encode(self, ids):
        x = self.embedding(ids) + self.places[: ids.shape[1]]
        return self.norm(x + self.attention(x))

    def forward(self, ids):
        return F.linear(self.encode(ids), self.embedding.weight)
''',
    ),
    Alternative(
        "PyTorch's own layer, nothing added",
        "SenseModel",
        # would be rejected by: the vector of the word itself must be added
        '''
class SenseModel(nn.Module):
    """What is retrieved takes the place of the word."""

    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.mul_(dim**-0.5)
        self.attention = nn.MultiheadAttention(dim, 2, batch_first=True)

    def encode(self, ids):
        x = self.embedding(ids)
        return self.attention(x, x, x, need_weights=False)[0]

    def forward(self, ids):
        return torch.einsum("ntd,wd->ntw", self.encode(ids), self.embedding.weight)
''',
    ),
    Alternative(
        "pairs as tokens, learned projections",
        "RecallModel",
        # would be rejected by: keys and values must not be mixed
        '''
class RecallModel(nn.Module):
    """Every pair is one token, and query, key and value are learned from it."""

    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.out = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        pairs = self.keys(keys) + self.values(values)
        q, k, v = self.q(self.keys(query))[:, None], self.k(pairs), self.v(pairs)
        return self.out(F.scaled_dot_product_attention(q, k, v)[:, 0])
''',
    ),
    Alternative(
        "values tied to their logits",
        "RecallModel",
        # would be rejected by: the logits must come from a layer of their own
        '''
class RecallModel(nn.Module):
    """What was found is compared with every value."""

    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.table = nn.ModuleDict({"key": nn.Embedding(num_keys, dim), "value": nn.Embedding(num_values, dim)})

    def forward(self, keys, values, query):
        keys, query = self.table["key"](keys), self.table["key"](query)
        weights = torch.einsum("nsd,nd->ns", keys, query).div(keys.shape[2] ** 0.5).softmax(1)
        found = torch.einsum("ns,nsd->nd", weights, self.table["value"](values))
        return found @ self.table["value"].weight.T
''',
    ),
    Alternative(
        "a sum that runs over blocks of keys",
        "chunked_attention",
        # would be rejected by: the weights of a query must be complete before they are used
        """
def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T, scale = q.shape[2], q.shape[3] ** -0.5
    top = torch.full_like(q[..., :1], float("-inf"))
    total, out = torch.zeros_like(top), torch.zeros_like(q[..., :1]) * v[..., :1, :]
    for start in range(0, T, chunk):
        keys, values = k[:, :, start : start + chunk], v[:, :, start : start + chunk]
        first = start if is_causal else 0
        s = scale * q[:, :, first:] @ keys.transpose(2, 3)
        if is_causal:
            s = s.masked_fill(torch.ones_like(s[0, 0], dtype=torch.bool).triu(1), float("-inf"))
        new = torch.maximum(top[:, :, first:], s.amax(-1, keepdim=True))
        shrink, e = torch.exp(top[:, :, first:] - new), torch.exp(s - new)
        out[:, :, first:] = out[:, :, first:] * shrink + e @ values
        total[:, :, first:] = total[:, :, first:] * shrink + e.sum(-1, keepdim=True)
        top[:, :, first:] = new
    return out / total
""",
    ),
    Alternative(
        "the front, then the rest",
        "chunked_attention",
        # would be rejected by: there must be a loop
        """
def chunked_attention(q, k, v, *, chunk, is_causal=False):
    def front(q, seen):
        if q.shape[-2] == 0:
            return []
        head, rest = q[..., :chunk, :], q[..., chunk:, :]
        n = head.shape[-2]
        last = seen + n if is_causal else k.shape[-2]
        s = head @ k[..., :last, :].mT / head.shape[-1] ** 0.5
        if is_causal:
            s += torch.full((n, last), float("-inf"), dtype=s.dtype).triu(seen + 1)
        done = s.softmax(-1) @ v[..., :last, :]
        del s
        return [done, *front(rest, seen + n)]

    return torch.cat(front(q, 0), dim=-2)
""",
    ),
)
