"""Automatic mutants of assignment 6's reference that answer alike wherever the stub says what to answer, and why."""

from __future__ import annotations

from functools import partial

from autograder.course import Equivalent, equivalents

same, in_torch = partial(equivalents, "attention"), partial(equivalents, "attention_torch")

SYMMETRIC = "the cosine is symmetric"
NOTHING_KEPT = "any finite number serves where nothing may be attended to: the exponentials are 0"
OWN_ERROR = "NumPy's own error for a shape that does not fit is a ValueError too"
ANY_NEGATIVE = "NumPy takes every negative number, not only -1, for the one size that it is to work out"
MAGNITUDE = "a difference and its negative have the same magnitude"
ONE_LENGTH = "strict only checks that the lengths agree, and here they always do"
INITIAL = "initial values are the student's choice; the driver loads others"
FOUR_AXES = "of four axes, the second from the end is the third"

EQUIVALENTS: tuple[Equivalent, ...] = (
    *same(
        "_cosine",
        "6a0d629d",
        (
            SYMMETRIC,
            "return float(u @ v / lengths) if lengths else 0.0",
            ["return float(v @ u / lengths) if lengths else 0.0"],
        ),
    ),
    *same(
        "masked_softmax",
        "71594412",
        (
            NOTHING_KEPT,
            "exponentials = np.exp(kept - np.where(largest == -np.inf, 0, largest))",
            ["exponentials = np.exp(kept - np.where(largest == -np.inf, 1, largest))"],
        ),
        (
            NOTHING_KEPT,
            "return exponentials / np.where(total == 0, 1, total)",
            ["return exponentials / np.where(total == 0, 2, total)"],
        ),
    ),
    *same(
        "split_heads",
        "0f287b5f",
        (OWN_ERROR, "if D % num_heads", ["nothing"]),
        (OWN_ERROR, "raise ValueError(f'{D} features cannot be divided among {num_heads} heads')", ["nothing"]),
        (
            ANY_NEGATIVE,
            "return x.reshape(N, T, num_heads, -1).swapaxes(1, 2)",
            ["return x.reshape(N, T, num_heads, -2).swapaxes(1, 2)"],
        ),
    ),
    *same(
        "merge_heads",
        "298af924",
        (ANY_NEGATIVE, "return x.swapaxes(1, 2).reshape(N, T, -1)", ["return x.swapaxes(1, 2).reshape(N, T, -2)"]),
    ),
    *same(
        "sinusoidal_positions",
        "70edecc3",
        (OWN_ERROR, "if D % 2", ["nothing", "if D % 1"]),
        (OWN_ERROR, "raise ValueError(f'sines and cosines come in pairs, and {D} is odd')", ["nothing"]),
    ),
    *same(
        "permutation_error",
        "d0095c81",
        (
            MAGNITUDE,
            "return float(np.abs(layer(x[:, permutation]) - layer(x)[:, permutation]).max())",
            ["return float(np.abs(layer(x)[:, permutation] - layer(x[:, permutation])).max())"],
        ),
    ),
    *same(
        "incremental_attention",
        "c4706403",
        (
            ONE_LENGTH,
            "k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v), strict=True))",
            [
                "k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v)))",
                "k, v = (np.concatenate([old, new], axis=2) for old, new in zip(cache, (k, v), strict=False))",
            ],
        ),
    ),
    *same(
        "sense_shift",
        "690d9cb8",
        (
            MAGNITUDE,
            "return (float(np.linalg.norm(after - before)), preference(after) - preference(before))",
            ["return (float(np.linalg.norm(before - after)), preference(after) - preference(before))"],
        ),
        (
            SYMMETRIC,
            "return _cosine(word, a) - _cosine(word, b)",
            ["return _cosine(a, word) - _cosine(word, b)", "return _cosine(word, a) - _cosine(b, word)"],
        ),
    ),
    *in_torch(
        "MultiHeadAttention",
        "62eccadd",
        (
            INITIAL,
            "self.in_proj_weight = nn.Parameter(embed_dim ** (-0.5) * torch.randn(3 * embed_dim, embed_dim))",
            [
                "self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim * torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(-0.5 * torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim ** (-0.5) / torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim * -0.5 * torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim ** 0.5 * torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim ** (-1.5) * torch.randn(3 * embed_dim, embed_dim))",
                "self.in_proj_weight = nn.Parameter(embed_dim ** (--0.5) * torch.randn(3 * embed_dim, embed_dim))",
            ],
        ),
        (
            INITIAL,
            "self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))",
            ["self.in_proj_bias = nn.Parameter(torch.ones(3 * embed_dim))"],
        ),
        (
            ONE_LENGTH,
            "q, k, v = (F.linear(source, weight, bias).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for source, weight, bias in zip((x, memory, memory), weights, biases, strict=True))",
            [
                "q, k, v = (F.linear(source, weight, bias).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for source, weight, bias in zip((x, memory, memory), weights, biases))",
                "q, k, v = (F.linear(source, weight, bias).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for source, weight, bias in zip((x, memory, memory), weights, biases, strict=False))",
            ],
        ),
        (
            FOUR_AXES,
            "scores = q.shape[-1] ** (-0.5) * (q @ k.transpose(-1, -2))",
            ["scores = q.shape[-1] ** (-0.5) * (q @ k.transpose(-1, 2))"],
        ),
    ),
    *in_torch(
        "SenseModel",
        "e668da2c",
        (
            "the stub leaves the number of heads open",
            "self.attention = MultiHeadAttention(dim, num_heads=1)",
            ["self.attention = MultiHeadAttention(dim, num_heads=2)"],
        ),
        (
            "the sense can be learned with or without the residual, and with either sign",
            "return x + self.attention(x)",
            ["return self.attention(x)", "return x - self.attention(x)"],
        ),
    ),
    *in_torch(
        "RecallModel",
        "1b00abd8",
        (
            "any scale: the learned keys make up for it",
            "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) * k.shape[-1] ** (-0.5)",
            [
                "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1)",
                "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) / k.shape[-1] ** (-0.5)",
                "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) * k.shape[-1]",
                "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) * k.shape[-1] ** 0.5",
                "scores = (k @ self.key(query).unsqueeze(-1)).squeeze(-1) * k.shape[-1] ** (--0.5)",
            ],
        ),
    ),
    *in_torch(
        "chunked_attention",
        "d928da0a",
        (FOUR_AXES, "T = q.shape[-2]", ["T = q.shape[2]"]),
        (
            "the mask hides what comes later anyway: it costs time, and memory within the bound",
            "seen = stop if is_causal else T",
            ["seen = T"],
        ),
        (
            FOUR_AXES,
            "scores = q.shape[-1] ** (-0.5) * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, -2))",
            ["scores = q.shape[-1] ** (-0.5) * (q[..., start:stop, :] @ k[..., :seen, :].transpose(-1, 2))"],
        ),
        (
            "on a CPU the default device is the device of q",
            "hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop, device=q.device)[:, None]",
            [
                "hidden = torch.arange(seen) > torch.arange(start, stop, device=q.device)[:, None]",
                "hidden = torch.arange(seen, device=q.device) > torch.arange(start, stop)[:, None]",
            ],
        ),
    ),
)
