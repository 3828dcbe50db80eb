"""What all tests share: numpy errors raise, and one OpenGL context without a window whose errors fail a test."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.sweeps import first_cases, mark_slow_cases

from viewer.common import language


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--cases N`: no slow test, and of each parametrized test N cases."""
    parser.addoption("--cases", type=int, help="no slow test, and at most so many cases of each parametrized test")


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what -m does
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Most cases of a sweep are slow; `--cases` leaves a part of all other parametrized tests, too."""
    mark_slow_cases(config, items)
    if most := config.getoption("--cases"):
        quick = [item for item in items if item.get_closest_marker("slow") is None]
        items[:], left_out = first_cases(quick, most)
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not made yet."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / f"home {n}" for n in count())


@pytest.fixture(scope="session", autouse=True)
def _first_home(_homes: Iterator[Path]) -> Iterator[None]:
    """Nor does what a module or the session shares, which is made before `_home`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POINSOT_HOME", str(next(_homes)))
        yield


@pytest.fixture(autouse=True)
def _home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test, nor a process that it starts, sees the user's own settings, logs and scenes."""
    monkeypatch.setenv("POINSOT_HOME", str(next(_homes)))


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The system asks for English, and a test that chooses another language leaves none behind."""
    monkeypatch.setenv("LANGUAGE", "en")
    yield
    language.choose("en")


@pytest.fixture(autouse=True)
def _numpy_raises() -> Iterator[None]:
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture
def gl() -> Iterator[Any]:
    """The process's offscreen context; fails the test that leaves an OpenGL error behind."""
    from viewer.export.offscreen import offscreen_context

    context = offscreen_context()
    context.__enter__()  # a test before may have left another one, or none
    assert context.error == "GL_NO_ERROR", "an earlier test left an OpenGL error"
    yield context
    context.__enter__()
    assert context.error == "GL_NO_ERROR"
