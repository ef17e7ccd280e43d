"""How the questions of assignment 6 are put. Runs beside the student's code as plain source and holds no secret."""

import numpy as np
from driving import backward, float64_by_default, loaded, tensors


def permutation_error(student, x, permutation, features=None, places=None, offset=None):
    """Measure a layer that mixes the tokens by ``places`` and gives each place an offset of its own; without features,
    one that hands on what it gets.
    """

    def layer(x):
        return x if features is None else np.tanh(places @ (x @ features) + offset)

    return student.permutation_error(layer, x, permutation)


def continued_twice(student, start, more, first, second, last):
    """One cache, which has grown before, continued in two ways, and then the first of them once more."""
    _, cache = student.incremental_attention(*start)
    _, cache = student.incremental_attention(*more, cache)
    one, longer = student.incremental_attention(*first, cache)
    other, _ = student.incremental_attention(*second, cache)
    return one, other, student.incremental_attention(*last, longer)[0]


def attention_parameters(student, embed_dim, num_heads):
    """Names and shapes of the parameters of a fresh layer."""
    state = student.MultiHeadAttention(embed_dim, num_heads).state_dict()
    return {name: np.array(value.shape) for name, value in state.items()}


def attention_dtypes(student, embed_dim, num_heads):
    """Whether a layer's parameters have the default dtype, whichever that is."""
    import torch

    state = student.MultiHeadAttention(embed_dim, num_heads).state_dict()
    with float64_by_default():
        double = student.MultiHeadAttention(embed_dim, num_heads).state_dict()
    return {
        name: {"float32": state[name].dtype == torch.float32, "float64": double[name].dtype == torch.float64}
        for name in state
    }


def attention_module(student, num_heads, params, dy, x, memory, mask):
    """Build a layer, load its weights, run forward and backward."""
    x, memory, mask = tensors(x, memory, mask)
    inputs = {"x": x} if memory is None else {"x": x, "memory": memory}
    for tensor in inputs.values():
        tensor.requires_grad_()
    layer = student.MultiHeadAttention(x.shape[-1], num_heads)
    loaded(layer, params, strict=False)  # names are a question of their own
    y = layer(x, memory, mask)
    backward(y, dy)
    leaves = inputs | {name: p for name, p in layer.named_parameters() if name in params}
    return {"y": y, "gradients": {name: leaf.grad for name, leaf in leaves.items()}}


def sense_table(student, vocab_size, dim):
    """The table of a fresh model."""
    return student.SenseModel(vocab_size, dim).embedding.weight


def sense_logits(student, table, ids):
    """Vectors in context and logits of a model whose table has been replaced.

    Initial values are the student's choice, and where they are zero all vectors may be zero: shake them.
    """
    import torch

    table, ids = tensors(table, ids)
    model = student.SenseModel(*table.shape).eval().to(table.dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
        model.embedding.weight.copy_(table)
        return {"vectors": model.encode(ids), "logits": model(ids), "alone": model.encode(ids[-1:])}


def sense_trained(student, vocab_size, dim, lr, batches, place, words, sentences):
    """Train a model to find hidden nouns. Then: vectors of words, and those in context in one place of sentences."""
    import torch

    model = student.SenseModel(vocab_size, dim)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for hidden, nouns in zip(*tensors(*batches), strict=True):
        loss = torch.nn.functional.cross_entropy(model(hidden)[:, place], nouns)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    words, sentences = tensors(words, sentences)
    with torch.no_grad():
        return {"words": model.embedding(words), "in context": model.encode(sentences)[:, place]}


def recall_trained(student, dim, num_keys, num_values, length, batch, steps, lr, seed, keys, values, query, order):
    """Train a model on short lists. Then: logits of long ones, of eight of them alone, and with pairs reordered; and of
    two, once the model is float64.

    The long ones lie in memory in another order and with gaps.
    """
    import provided
    import torch

    rng = np.random.default_rng(seed)
    model = student.RecallModel(num_keys, num_values, dim)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        *question, answer = tensors(*provided.draw_lists(batch, length, num_keys, num_values, rng=rng))
        loss = torch.nn.functional.cross_entropy(model(*question), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    keys, values, query = tensors(np.asfortranarray(keys), np.asfortranarray(values), np.repeat(query, 2)[::2])
    with torch.no_grad():
        return {
            "logits": model(keys, values, query),
            "alone": torch.cat([model(keys[n : n + 1], values[n : n + 1], query[n : n + 1]) for n in range(8)]),
            "reordered": model(keys[:, order], values[:, order], query),
            "double": model.double()(keys[:2], values[:2], query[:2]),
        }


def recall_untrained(student, num_keys, num_values, dim, keys, values, query):
    """Logits of lists, and of each alone, by a fresh model in float64, whose scores are large."""
    import torch

    keys, values, query = tensors(keys, values, query)
    model = student.RecallModel(num_keys, num_values, dim).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(20)
        lists = zip(keys[:, None], values[:, None], query[:, None], strict=True)
        return {"logits": model(keys, values, query), "alone": torch.cat([model(*one) for one in lists])}


def chunked_attention(student, q, k, v, **settings):
    """The outputs."""
    return student.chunked_attention(*tensors(q, k, v), **settings)


def chunked_memory(student, q, k, v, **settings):
    """The outputs, and the most bytes that the tensors held at one time, arguments not counted."""
    import weakref

    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    arguments = tensors(q, k, v)
    users = {a.untyped_storage()._cdata: 1 for a in arguments}  # tensors that use a storage
    held = peak = 0

    class Meter(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            nonlocal held, peak
            result = function(*args, **(kwargs or {}))
            for tensor in tree_leaves(result):
                if hasattr(tensor, "untyped_storage"):
                    storage = tensor.untyped_storage()
                    key, size = storage._cdata, storage.nbytes()
                    held += 0 if users.get(key) else size
                    users[key] = users.get(key, 0) + 1
                    weakref.finalize(tensor, release, key, size)
            peak = max(peak, held)
            return result

    def release(key, size):
        nonlocal held
        users[key] -= 1
        held -= 0 if users[key] else size

    with Meter():
        out = student.chunked_attention(*arguments, **settings)
    return {"out": out, "peak": peak}
