"""The questions that wait for the user's answer; the ui shows each with the dialog of its kind.

The function `answer` takes the user's answer, and returns the error that the dialog must show, or None.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.scenario.scenario import Scenario

if TYPE_CHECKING:
    from viewer.replay.mapping import Column, ColumnMapping

Moments = tuple[float, float, float]


@dataclass(eq=False)
class FileQuestion:
    """The question of which file to use.

    The dialog begins in the folder of the file `near`, or in the current folder if there is none.
    """

    near: str | None
    answer: Callable[[list[str]], str | None]


class OpenQuestion(FileQuestion):
    """The question of what to open: a scene, a picture that holds one, a mesh, or recordings."""


class MeshFileQuestion(FileQuestion):
    """The question of which mesh file to use."""


@dataclass(eq=False)
class SaveQuestion(FileQuestion):
    """The question of where to save the scene with this `title`.

    If `why` is not empty, it says why the file `near` was not simply written, and the dialog's button replaces that
    file.
    """

    title: str = ""
    why: str = ""


@dataclass(eq=False)
class MeshSizeQuestion:
    """The question of how large the mesh at `path` is; `scenario` is the scene with a guessed size."""

    path: str
    scenario: Scenario
    answer: Callable[[Scenario], str | None]


@dataclass(eq=False)
class ColumnsQuestion:
    """The question of what the columns of the table at `path` mean, and what the body's moments are.

    `before` is what the user declared last time, or None; `moments` are the declared moments [kg m2], or None. `known`
    says that the meaning is known already, from the names of the columns or from the user. `error` says why the table
    cannot be read with the last answer.
    """

    path: str
    columns: "Sequence[Column]"
    answer: "Callable[[ColumnMapping, Moments | None], str | None]"
    before: "ColumnMapping | None" = None
    moments: Moments | None = None
    known: bool = False
    error: str = ""


@dataclass(eq=False)
class PictureQuestion:
    """The question of the kind, size and name of a picture or film to save.

    `unused` is the path of a file that does not exist yet.
    """

    film: bool
    unused: Path


Question = FileQuestion | MeshSizeQuestion | ColumnsQuestion | PictureQuestion
