from __future__ import annotations

from checks import criterion, equal, raises, student
from numpy import array, full, zeros

OK_FORMAT, name = False, "match_template"


@criterion(
    "values", 2, hint="Brightness and contrast must not count: what do template and window lose, and what divides each?"
)
def test_values() -> None:
    match_template = student("convolution").match_template
    x = array([5.0, 5.0, 5.0, 9.0, 5.0, 5.0, 5.0, 2.0, 5.0, 5.0, 5.0])
    equal(match_template(x, array([7.0, 1.0, 1.0, 1.0])), array([-1, -1, -1, 3, 1, 1, 1, -3]) / 3)
    steep = 3**0.5 / 2  # the angle is 30 degrees
    equal(match_template(array([5.0, 5.0, 5.005, 5.0, 5.0]), array([1.0, 2.0, 3.0])), [steep, 0, -steep])
    x = array([-10.0, 20.0, 50.0, 40.0, 30.0])
    equal(match_template(x, array([104.0, 105.0, 106.0])), [1, (3 / 7) ** 0.5, -1])
    equal(match_template(array([3.0, 1.0, 2.0]), array([1.0, 2.0, 4.0])), [-3 / 84**0.5])


@criterion(
    "constant",
    1,
    hint="How do you tell equal numbers from faint contrast, if means are off by rounding? What is the score then?",
)
def test_constant() -> None:
    match_template = student("convolution").match_template
    x = array([3.0, 3.0, 3.0, 3.0, 9.0, 3.0, 3.0, 3.0, 3.0])
    equal(match_template(x, array([6.0, 0.0, 0.0])), [0, 0, -0.5, -0.5, 1, 0, 0])
    equal(match_template(full(10, 1.1), array([1.0, 3.0, 2.0, 5.0, 4.0, 0.0])), zeros(5))
    equal(match_template(array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0]), full(6, 0.2)), zeros(3))
    equal(match_template(full(9, 0.7), full(3, 0.2)), zeros(7))
    equal(match_template(array([4.0, -1.0, 0.0]), array([8.0])), zeros(3))


@criterion("errors", 1, hint="A template longer than the signal fits nowhere, and an empty answer would hide that.")
def test_errors() -> None:
    match_template = student("convolution").match_template
    raises(match_template, array([1.0, 2.0, 4.0]), array([1.0, 2.0, 4.0, 3.0]))
    raises(match_template, array([1.0, 2.0]), array([1.0, 2.0, 4.0, 3.0, 7.0, 5.0]))
