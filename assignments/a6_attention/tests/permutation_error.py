from __future__ import annotations

from checks import criterion, equal, student
from numpy import array, cumsum

OK_FORMAT, name = False, "permutation_error"


@criterion("values", 2, hint="Permute, then compute; compute, then permute. Compare the two, token by token.")
def test_values() -> None:
    permutation_error = student("attention").permutation_error
    x, permutation = array([[[1.0], [2.0], [4.0]]]), array([2, 0, 1])

    def places(x):  # token 0 counts once, token 1 twice, token 2 three times
        return x * array([[1.0], [2.0], [3.0]])

    equal(permutation_error(places, x, permutation), 8, what="The error of a layer that numbers its places")
    equal(permutation_error(places, x, array([1, 2, 0])), 4, what="The error under the inverse permutation")
    equal(permutation_error(places, x, array([0, 1, 2])), 0, what="The error where nothing is permuted")
    equal(permutation_error(lambda x: cumsum(x, axis=1), x, permutation), 4, what="The error of a cumulative sum")
    equal(permutation_error(lambda x: x - x.mean(axis=1, keepdims=True), x, permutation), 0)
    several = array([[[1.0, 0.0], [2.0, 0.0], [4.0, 0.0]], [[0.0, 0.0], [0.0, -10.0], [0.0, 0.0]]])
    equal(permutation_error(places, several, permutation), 10, what="The error in two sequences of two features")
