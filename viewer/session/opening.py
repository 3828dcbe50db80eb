"""Reads what is to be opened: a preset, a scene file, a picture with a scene, or another program's recording."""

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from viewer.common.resources import file
from viewer.scenario.own.looks import is_given
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.motion import Body
from viewer.session.document import Document

if TYPE_CHECKING:
    from viewer.race.recorded_lane import Recordings
    from viewer.replay.analysis import Replay
    from viewer.replay.mapping import ColumnMapping


def read(
    name: str | os.PathLike[str],
    base: Scenario,
    progress: Callable[[float], None] | None = None,
    columns: "ColumnMapping | None" = None,
    drawn_as: Body | None = None,
) -> tuple[Scenario, "Recordings | None"]:
    """The scene of that name, and the recording of which it is the scene; both are what `Session.open` takes.

    Where the scene says nothing of stereo, theme and what else belongs to the user's screen, that is as in `base`.
    `columns`: what the columns of a recording's table are, where their names do not say it (UnknownColumns).
    `drawn_as`: what has been recorded, where the user has said it.
    `progress` is called with the fraction that is done; what it raises ends the reading. Raises InputError.
    """
    name = os.fspath(name)
    if not is_recording(name):
        return Scenario.find(name, base), None
    from viewer.replay.raw import no_progress  # here: scipy takes long to import
    from viewer.replay.scene import replayed, scene_of

    found = replayed(name, progress=progress or no_progress, columns=columns)
    return scene_of(found, base, drawn_as), found


def read_several(
    names: Sequence[str], base: Scenario, progress: Callable[[float], None]
) -> tuple[Scenario, "Recordings | None"]:
    """As `read`, of several recordings of one case. Raises InputError."""
    from viewer.replay.scene import compared, scene_of

    found = compared(names, progress=progress)
    return scene_of(found, base), found


def with_flight(found: "Replay", which: str, base: Scenario) -> tuple[Scenario, "Recordings"]:
    """As `read`, of another flight of a recording that has been read, or "all" fitted together; it looks as in `base`.
    Raises InputError."""
    from viewer.replay.analysis import replay
    from viewer.replay.scene import scene_of

    again = replay(found.recording, which, () if found.chosen is None else found.chosen.flights)
    return scene_of(again, base, base.body), again


def given_body(document: Document) -> Body | None:
    """The body of the open scene where the user has said what it is: in a file, or as what a recording looks like; None
    where it comes with the program."""
    body = document.scenario.body
    if document.recordings is not None:
        return body if is_given(body) else None
    own = document.path is not None or body.shape in ("mesh", "composite")
    return body if own and body not in [Scenario.preset(name).body for name in PRESETS] else None


@lru_cache(maxsize=4)
def read_own(name: str, flight: int) -> tuple[dict[str, Any], "Recordings"]:
    """A flight of a recording that comes with the program: the fields of its scene, and what runs in that."""
    from viewer.replay.scene import motion_of, replayed, title_of

    with file("assets", "logs", name) as path:
        found = replayed(path, flight=str(flight))
    return {"title": title_of(found), **motion_of(found)}, found
