"""What `frozen` makes behaves as what `dataclass(frozen=True)` of the standard library makes."""

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any

import pytest

from viewer.common.frozen import frozen


class Plain:
    """The fields of both classes below."""

    __annotations__ = {"width": float, "name": str, "points": list, "hidden": int, "apart": int}


def namespace() -> dict[str, Any]:
    return {
        "__module__": __name__,
        "__annotations__": dict(Plain.__annotations__),
        "name": "box",
        "points": field(default_factory=list),
        "hidden": field(default=0, repr=False),
        "apart": field(default=0, compare=False),
    }


Ours = frozen(type("Shape", (), namespace()))
Theirs = dataclass(frozen=True)(type("Shape", (), namespace()))


@frozen
class Checked:
    """With what runs after the constructor, and a method of its own in place of a made one."""

    low: float
    high: float = 1.0

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low > high")

    def __repr__(self) -> str:
        return f"<{self.low}..{self.high}>"


CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((1.0,), {}),
    ((1.0, "top", [2]), {}),
    ((), {"width": 2.0, "hidden": 3, "apart": 4}),
    ((1.0, "top", [2], 3, 4), {}),
)


@pytest.mark.parametrize(("positional", "named"), CALLS)
def test_values_and_text(positional, named):
    ours, theirs = Ours(*positional, **named), Theirs(*positional, **named)
    assert asdict(ours) == asdict(theirs)
    assert repr(ours) == repr(theirs)
    assert inspect.signature(Ours).parameters.keys() == inspect.signature(Theirs).parameters.keys()
    assert Ours.__match_args__ == Theirs.__match_args__


@pytest.mark.parametrize("changed", ["width", "name", "points", "hidden", "apart"])
def test_equality(changed):
    values = {"width": 1.0, "name": "box", "points": [], "hidden": 0, "apart": 0}
    other = values | {changed: [1] if changed == "points" else "other" if changed == "name" else 7}
    equal = [made(**values) == made(**other) for made in (Ours, Theirs)]
    assert equal[0] is equal[1]
    assert Ours(**values) != Theirs(**values)


def test_hash():
    assert hash(Checked(0.0)) == hash(Checked(0.0, 1.0))
    assert len({Checked(0.0), Checked(0.0, 1.0), Checked(0.5)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ours(1.0))


def test_nothing_can_be_changed():
    made = Checked(0.0)
    for act in (
        lambda: setattr(made, "low", 1.0),
        lambda: setattr(made, "other", 1.0),
        lambda: delattr(made, "low"),
    ):
        with pytest.raises(FrozenInstanceError):
            act()
    assert made == Checked(0.0, 1.0)


def test_each_gets_a_default_of_its_own():
    assert Ours(1.0).points is not Ours(1.0).points


def test_wrong_calls_are_refused():
    for call in ((), (1.0, "a", [], 0, 0, 0)):
        with pytest.raises(TypeError):
            Ours(*call)
    with pytest.raises(TypeError):
        Ours(1.0, colour=1)


def test_after_the_constructor_and_own_methods():
    with pytest.raises(ValueError, match="low > high"):
        Checked(2.0)
    assert repr(Checked(0.0)) == "<0.0..1.0>"
    assert replace(Checked(0.0), high=3.0) == Checked(0.0, 3.0)
    assert [one.name for one in fields(Checked)] == ["low", "high"]


def test_copies():
    made = Checked(0.25)
    assert copy.copy(made) == copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
