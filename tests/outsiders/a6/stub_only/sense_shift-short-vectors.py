# sense_shift: [a floor under the lengths] the product of the two lengths is held above 1e-8 as in torch's cosine_similarity, so short vectors (length 1e-9 beside a sense of length 1, or both 1e-5) lose most of their cosine, where only the zero vector should
import math


def _sense_shift_cosine(u, v, eps=1e-8):
    dot = math.fsum(x * y for x, y in zip(u.tolist(), v.tolist(), strict=True))
    lengths = math.hypot(*u.tolist()) * math.hypot(*v.tolist())
    return dot / max(lengths, eps)


def sense_shift(before, after, a, b):
    distance = math.hypot(*(after - before).tolist())

    def leaning(word):
        return _sense_shift_cosine(word, a) - _sense_shift_cosine(word, b)

    return distance, leaning(after) - leaning(before)
