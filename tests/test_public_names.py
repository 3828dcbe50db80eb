"""What `import viewer` offers, as `help(viewer)` shows it; and that the tests run where no bytecode is up to date."""

import doctest
import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.processes import environment

import viewer

LINE = 120  # characters of a line of help
LONG = ("render_image", "Scenario", "Simulation", "Loads", "Part", "State", "RigidBody", "Bodies")  # many values
LONGEST = 350  # characters; measured: 341, with types written out 1663


def help_of_viewer() -> str:
    return pydoc.render_doc(viewer, renderer=pydoc.plaintext)


def public_members(name: str) -> Iterator[tuple[str, Any]]:
    """A public name and, of a class, what it offers: methods as functions, properties as they are."""
    thing = getattr(viewer, name)
    yield name, thing
    for member in dir(thing) if inspect.isclass(thing) else ():
        found = inspect.getattr_static(thing, member)
        found = getattr(found, "__func__", found)
        ours = getattr(getattr(found, "fget", found), "__module__", "") or ""
        if not member.startswith("_") and ours.startswith("viewer."):
            yield f"{name}.{member}", found


@pytest.mark.parametrize("name", [name for name in viewer.__all__ if name != "INTEGRATORS"])
def test_every_public_name_says_how_it_is_called(name: str) -> None:
    """In numpydoc form: a summary in one line, each argument, and of functions what comes back."""
    for called, thing in public_members(name):
        text = inspect.getdoc(thing) or ""
        lines = text.split("\n")
        assert lines[0].endswith("."), called
        assert lines[1:2] in ([], [""]), called
        assert not re.search(r"\braises? [A-Z]\w+Error", text, re.IGNORECASE), f"{called}: the section Raises says that"
        if not callable(thing) or thing is viewer.InputError:  # which takes what any error takes
            continue
        arguments = [each for each in inspect.signature(thing).parameters if each not in ("self", "cls")]
        listed = text.partition("\nParameters\n----------\n")[2].partition("\n\n")[0].split("\n")
        named = {each for line in listed if line[:1].strip() for each in re.findall(r"\w+", line.partition(" :")[0])}
        assert set(arguments) <= named, called
        assert "." in called or isinstance(thing, type) or "\nReturns\n-------\n" in text, called


@pytest.mark.parametrize("name", [name for name in viewer.__all__ if name != "INTEGRATORS"])
def test_every_public_name_has_an_example_that_is_right(name: str) -> None:
    thing = getattr(viewer, name)
    (test,) = doctest.DocTestFinder(recurse=False).find(thing, name, globs={name: thing, "np": np})
    assert test.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_help_lists_every_integrator_whole() -> None:
    text = help_of_viewer()
    data = text[text.index("\nDATA\n") :]
    assert f"INTEGRATORS = <{len(viewer.INTEGRATORS)} integrators by name>" in data
    for name, integrator in viewer.INTEGRATORS.items():
        assert f"        {name}: {integrator.summary}\n" in data


def test_the_signatures_of_help_fit_a_line() -> None:
    lines = re.findall(r"^(?: \|  |    )? ?\|? *((?:class )?\w+\(.*\)(?: -> .*)?)$", help_of_viewer(), re.MULTILINE)
    assert len(lines) > 60
    own = [line for line in lines if not line.startswith(("class ", "__init__", "from_mesh", "change", *LONG))]
    assert [line for line in own if len(line) > 148] == []  # with "from builtins.type" behind class methods
    assert max(map(len, lines)) < LONGEST
    assert "numpy._typing" not in help_of_viewer()


def test_what_the_physics_and_the_scenes_raise_can_be_caught_by_name() -> None:
    with pytest.raises(viewer.InputError, match="preset: 'nothing' is unknown"):
        viewer.Scenario.preset("nothing")
    simulation = viewer.Simulation(
        viewer.RigidBody.from_moments((1.0, 2.0, 3.0)), viewer.State((1, 0, 0, 0), (3, 30, 3)), "explicit-euler", 0.5
    )
    with pytest.raises(viewer.NumericalOverflow, match="Explicit Euler diverged"):
        simulation.advance_steps(1000)
    assert np.isfinite(simulation.state.omega_body).all()


def test_the_tests_are_collected_where_no_bytecode_is_up_to_date(tmp_path: Path) -> None:
    """In a folder without any, pyrr is compiled, of whose invalid escapes Python warns."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, str(root / "tests" / "scene" / "test_camera.py")],
        cwd=root,
        env=environment(PYTHONPYCACHEPREFIX=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
