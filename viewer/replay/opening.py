"""Reads what is to be opened: a preset, a scene file, a picture with a scene, or another program's recording."""

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.common import input_files
from viewer.common.errors import InputError, refusal
from viewer.common.input_files import name_shown
from viewer.common.language import tr
from viewer.common.resources import file
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.scene_file import tell_of_others
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.race import AUTO, Recording

if TYPE_CHECKING:
    from viewer.replay.findings import Replay, SingleReplay
    from viewer.replay.mapping import ColumnMapping

ALIKE = 1e-6  # relative difference up to which a body and a start are those of a recording
CHUNK = 1 << 20  # bytes


def read(
    name: str | os.PathLike[str],
    base: Scenario,
    progress: Callable[[float], None] | None = None,
    columns: "ColumnMapping | None" = None,
    drawn_as: Body | None = None,
    tell: Callable[[str], object] = lambda line: None,
    moments: tuple[float, float, float] | None = None,
) -> tuple[Scenario, "Replay | None"]:
    """Return the scene with this name, and the replay of the recordings that it shows or None, for `Session.open`.

    Settings of the user's screen that the scene leaves open, such as stereo and theme, are those of `base`. `columns`
    are the columns of a recording's table, if the user gives them because their names do not tell what they are
    (UnknownColumns); `drawn_as` is the body that was recorded, and `moments` are its moments of inertia [kg m2], if the
    user gives them. If a scene names a recording that cannot be read, `tell` is called with a line about it, and the
    scene opens without the recording. `progress` is called with the fraction that is done; an exception from it ends
    the reading. Raises InputError.
    """
    name = os.fspath(name)
    if not is_recording(name):
        scenario = Scenario.find(name, base)
        tell_of_others(name, tell)
        return scenario, recording_of(scenario, tell, progress)
    from viewer.replay.conventions import Conventions  # here: scipy takes long to import
    from viewer.replay.raw_recording import no_progress
    from viewer.replay.scene import replayed, scene_of

    wanted = Conventions(moments=moments)
    found = replayed(name, wanted=wanted, progress=progress or no_progress, columns=columns)
    return scene_of(found, base, drawn_as), found


def recording_of(
    scenario: Scenario, tell: Callable[[str], object], progress: Callable[[float], None] | None = None
) -> "Replay | None":
    """Return the replay of the recordings that a scene names, or None if it names none.

    If they cannot be read, have changed, or do not belong to the scene's body and start, `tell` is called with a line
    about it, and None is returned.
    """
    if not scenario.recording.files:
        return None
    try:
        return _reread(scenario, progress)
    except InputError as error:
        tell(tr("{error}; the scene is opened without its recording").format(error=error))
        return None


def _reread(scenario: Scenario, progress: Callable[[float], None] | None) -> "Replay":
    from viewer.replay.conventions import Conventions  # here: scipy takes long to import
    from viewer.replay.mapping import parse_mapping
    from viewer.replay.raw_recording import no_progress
    from viewer.replay.scene import motion_of, replayed

    section = scenario.recording
    for path, known in zip(section.files, section.checksums, strict=False):
        now = checksum(path)
        if now and now != known:
            raise refusal("{name}: has changed since the scene was saved", name=name_shown(path))
    given = {name: getattr(section, name) for name in ("order", "direction", "rate_frame", "rate_unit", "time_unit")}
    given = {name: None if value == AUTO else value for name, value in given.items()}
    found = replayed(
        *section.files,
        wanted=Conventions(**given, moments=section.moments if any(section.moments) else None),
        progress=progress or no_progress,
        columns=parse_mapping(",".join(section.columns)) if section.columns else None,
        flight=section.flight or None,
        tolerance=section.tolerance or None,
        step=section.step or None,
        repair=section.repair,
        remember=False,
    )
    motion = motion_of(found)
    fields = [name for name in motion if name.startswith("start.") or name in ("body.moments", "body.tensor")]
    same = motion["body.shape"] == scenario.body.shape and all(
        np.allclose(motion[name], scenario.value(name), rtol=ALIKE, atol=ALIKE * np.abs(motion[name]).max())
        for name in fields
    )
    if not same:
        raise refusal(
            "{name}: does not belong to the body and the start of the scene", name=name_shown(section.files[0])
        )
    return found


def read_several(
    names: Sequence[str],
    base: Scenario,
    progress: Callable[[float], None],
    declared: "tuple[str, ColumnMapping] | None" = None,
    moments: tuple[float, float, float] | None = None,
) -> tuple[Scenario, "Replay | None"]:
    """Return the scene of several recordings of one case, and their replay.

    `declared` has the path of one of them and the columns of its table, which then also hold for tables like it.
    `moments` are as in `read`. Raises InputError.
    """
    from viewer.replay.conventions import Conventions
    from viewer.replay.scene import learn, replayed, scene_of

    if declared is not None:
        learn(*declared)
    found = replayed(*names, wanted=Conventions(moments=moments), progress=progress)
    return scene_of(found, base), found


def read_repaired(
    names: Sequence[str],
    found: "Replay | None",
    base: Scenario,
    drawn_as: Body | None,
    progress: Callable[[float], None],
) -> tuple[Scenario, "Replay"]:
    """Return the scene and the replay of recordings whose rates and orientations are read so that they agree.

    `found` is their replay as they were read before, or None if that failed. `drawn_as` is as in `read`. Raises
    InputError.
    """
    from viewer.replay.recording import ReadAs
    from viewer.replay.scene import replayed, scene_of

    read_as = ReadAs() if found is None else found.recordings[0].read_as
    again = replayed(
        *names,
        wanted=read_as.wanted,
        progress=progress,
        columns=read_as.columns,
        tolerance=None if found is None else found.tolerance,
        step=read_as.step,
        repair=True,
        remember=False,
    )
    return scene_of(again, base, drawn_as), again


def with_flight(found: "SingleReplay", which: str, base: Scenario) -> tuple[Scenario, "Replay"]:
    """Return the scene and the replay of another flight of a recording, or of all flights if `which` is "all".

    The body looks as it does in `base`. Raises InputError.
    """
    from viewer.replay.analysis import replay
    from viewer.replay.scene import scene_of

    again = replay(found.recording, which, () if found.selection is None else found.selection.flights)
    return scene_of(again, base, base.body), again


@lru_cache(maxsize=4)
def read_own(name: str, flight: int) -> tuple[dict[str, Any], "Replay"]:
    """Return a scene's fields, and the replay, of one flight in a recording that comes with the program."""
    from viewer.replay.scene import motion_of, replayed, title_of

    with file("assets", "logs", name) as path:
        found = replayed(path, flight=str(flight))
    return {"title": title_of(found), **motion_of(found)}, found


def section_of(found: "Replay") -> Recording:
    """Return the section [recording] of a scene; with it these recordings are read again in the same way."""
    if not found.files:
        return Recording()
    read_as = found.recordings[0].read_as
    wanted, columns = read_as.wanted, read_as.columns
    sums = tuple(map(checksum, found.files))
    return Recording(
        files=found.files, checksums=sums if all(sums) else (), flight=found.flight or "",
        columns=() if columns is None else columns.parts,
        order=wanted.order or AUTO, direction=wanted.direction or AUTO, rate_frame=wanted.rate_frame or AUTO,
        rate_unit=wanted.rate_unit or AUTO, time_unit=wanted.time_unit or AUTO,
        moments=wanted.moments or Recording.moments, step=read_as.step or 0.0, tolerance=found.tolerance or 0.0,
        repair=read_as.repair,
    )  # fmt: skip


def checksum(name: str) -> str:
    """Return the SHA-256 of a file, or of the names and the contents of the files in a folder.

    It is empty if a file cannot be read.
    """
    import hashlib  # here: few scenes have a recording, and its library takes 3 MB and 3 ms

    found = hashlib.sha256()
    try:
        for path in sorted(Path(name).iterdir()) if os.path.isdir(name) else [Path(name)]:
            if os.path.isdir(path):
                continue
            found.update(path.name.encode("utf-8", "replace") if os.path.isdir(name) else b"")
            with input_files.open_file(path) as file:
                while data := file.read(CHUNK):
                    found.update(data)
    except (InputError, OSError):
        return ""
    return found.hexdigest()
