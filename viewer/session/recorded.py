"""The recordings that a document was made from, beside its motion, and what a scene's file says of them."""

import os
from pathlib import Path
from typing import Any, cast

from viewer.common import input_files
from viewer.common.errors import InputError
from viewer.common.frozen import frozen
from viewer.race.recorded_lane import Recordings
from viewer.scenario.change_of_shape import without_look
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.body import Body
from viewer.scenario.sections.motion import Start
from viewer.scenario.sections.recording import AUTO, Recording

CHUNK = 1 << 20  # bytes


@frozen
class Recorded:
    """One recording or several, None where they could not be read, and the body and the start that they belong to."""

    recordings: Recordings | None
    body: Body
    start: Start

    @classmethod
    def beside(cls, scenario: Scenario, recordings: Recordings | None) -> "Recorded | None":
        """Those of which `scenario` is the scene; None where there are none."""
        named = scenario.recording != Recording()
        return None if recordings is None and not named else cls(recordings, scenario.body, scenario.start)

    def of(self, scenario: Scenario) -> Recordings | None:
        """Them, while the scene has their body, whatever it looks like, and their start."""
        return self.recordings if self.fits(scenario) else None

    def fits(self, scenario: Scenario) -> bool:
        """Whether the scene has their body, whatever it looks like, and their start."""
        return without_look(self.body) == without_look(scenario.body) and self.start == scenario.start


def named_in(scenario: Scenario, recorded: Recorded | None) -> Scenario:
    """The scene as it is saved: it names the recordings that are of it, and no others."""
    blank = scenario.with_values(_values(Recording()))
    if recorded is None or not recorded.fits(scenario):
        return blank
    if recorded.recordings is None:
        return scenario
    relative = {"recording.relative": recorded.recordings.ratios is not None}
    try:
        return blank.with_values(_section(recorded.recordings) | relative)
    except InputError:  # a name of a file that no scene can hold
        return blank.with_values(relative)


def _values(section: Recording) -> dict[str, Any]:
    return {f"recording.{name}": value for name, value in vars(section).items()}


def _section(found: Recordings) -> dict[str, Any]:
    """The fields of [recording] by their paths, so that they are read again as they were."""
    from viewer.replay.comparison.comparison import Several
    from viewer.replay.findings import Replay  # here: it is there by now

    if not found.files:
        return {}
    read_as = (found if isinstance(found, Replay) else cast(Several, found).compared[0]).recording.read_as
    wanted, columns = read_as.wanted, read_as.columns
    sums = tuple(map(checksum, found.files))
    return _values(
        Recording(
            files=found.files,
            checksums=sums if all(sums) else (),
            flight=found.flight or "",
            columns=() if columns is None else columns.parts,
            order=wanted.order or AUTO,
            direction=wanted.direction or AUTO,
            rate_frame=wanted.rate_frame or AUTO,
            rate_unit=wanted.rate_unit or AUTO,
            time_unit=wanted.time_unit or AUTO,
            moments=wanted.moments or Recording.moments,
            step=read_as.step or 0.0,
            tolerance=0.0 if isinstance(found, Replay) else cast(Several, found).tolerance or 0.0,
        )
    )


def checksum(name: str) -> str:
    """SHA-256 of a file, or of the names and the contents of the files in a folder; empty where it cannot be read."""
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
