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


@dataclass(eq=False)
class FileQuestion:
    """The question for a file; the dialog begins in the folder of the file `near`, or in the current one without it."""

    near: str | None
    answer: Callable[[list[str]], str | None]


class OpenQuestion(FileQuestion):
    """The question which scene, picture with a scene, mesh or recordings to open."""


class MeshFileQuestion(FileQuestion):
    """The question which mesh to take."""


@dataclass(eq=False)
class SaveQuestion(FileQuestion):
    """The question where to save the scene with this `title`.

    `why` explains, if it is not empty, why the file `near` was not simply written; the button replaces that file.
    """

    title: str = ""
    why: str = ""


@dataclass(eq=False)
class MeshSizeQuestion:
    """The question how large the mesh at `path` is; `scenario` is its scene as it is guessed."""

    path: str
    scenario: Scenario
    answer: Callable[[Scenario], str | None]


@dataclass(eq=False)
class ColumnsQuestion:
    """The question what the columns of the table at `path` are.

    `before` is the user's last declaration, or None. `known` says that the names of the columns, or the user, have told
    their meaning already. `error` says why the table cannot be read with the last answer.
    """

    path: str
    columns: "Sequence[Column]"
    answer: "Callable[[ColumnMapping], str | None]"
    before: "ColumnMapping | None" = None
    known: bool = False
    error: str = ""


@dataclass(eq=False)
class PictureQuestion:
    """The question for kind, size and place of a picture or a film; `unused` is a file that does not exist yet."""

    film: bool
    unused: Path


Question = FileQuestion | MeshSizeQuestion | ColumnsQuestion | PictureQuestion
