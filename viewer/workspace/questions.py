"""The questions that wait for an answer of the user; the ui shows each with the dialog of its kind.

An `answer` returns the error that the dialog is to show, or None when all is well.
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
    """The question which file; begins in the folder of the file `near`, else in the current one."""

    near: str | None
    answer: Callable[[list[str]], str | None]


class OpenQuestion(FileQuestion):
    """The question which scene, picture of one, mesh or recordings to open."""


class MeshFileQuestion(FileQuestion):
    """The question which mesh to take."""


@dataclass(eq=False)
class SaveQuestion(FileQuestion):
    """The question where to save the scene with this `title`.

    `why`: the file `near` was not simply written; the button replaces it.
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

    `before`: what the user has declared them to be; `known`: their names or the user have declared it already.
    `error`: why the last answer could not be read.
    """

    path: str
    columns: "Sequence[Column]"
    answer: "Callable[[ColumnMapping], str | None]"
    before: "ColumnMapping | None" = None
    known: bool = False
    error: str = ""


@dataclass(eq=False)
class PictureQuestion:
    """The question which kind, size and place a picture or a film has; `unused`: a file that is not there yet."""

    film: bool
    unused: Path


Question = FileQuestion | MeshSizeQuestion | ColumnsQuestion | PictureQuestion
