"""The files of the open scene: its own, those that it was read from, the one that is being read, the recent ones."""

import os
from pathlib import Path

from viewer.physics.solids.mesh_files.limits import is_mesh_file
from viewer.replay.opening import checksum
from viewer.scenario.field import Texts
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scene_file import is_picture
from viewer.session.session import Session
from viewer.user.settings import Settings, setting_at
from viewer.workspace.opening import Awaited, Opening

RECENT = "scenes.recent"


def own_file(name: str | None) -> str | None:
    """Return the file in which a scene is saved that was opened by `name`; None for a preset and what is no scene
    file."""
    if name is None:
        return None
    foreign = is_recording(name) or is_mesh_file(name) or is_picture(name)
    return None if name in PRESETS or foreign else name


class Files:
    """`opened_by`: the name by which the scene was opened. `opening`: what is being read. `awaited`: the recordings of
    the scene that the window has begun with, until they are there."""

    def __init__(self, session: Session, settings: Settings, opened_by: str | None, checksum_then: str) -> None:
        """`checksum_then`: of the scene's file as the last window knew it; empty where that is not known."""
        self._session, self._settings = session, settings
        self._checksums: dict[str, str] = {}  # of scene files as they were read or written last
        self.opened_by = opened_by
        self.opening: Opening | None = None
        self.awaited: Awaited | None = None
        if self.path is not None:
            self.note_checksum(self.path, checksum_then or checksum(self.path))

    @property
    def path(self) -> str | None:
        """The open scene's own file; None where it has none."""
        return self._session.document.path

    @property
    def inputs(self) -> tuple[str, ...]:
        """All files that the open scene has been read from, and presets."""
        document = self._session.document
        recordings = () if document.recordings is None else document.recordings.files
        return (*filter(None, (document.path, self.opened_by)), *recordings, *document.scenario.files)

    def checksum_of(self, path: str) -> str:
        """Return that of a scene file as it was read or written last; empty where it was neither."""
        return self._checksums.get(os.path.realpath(path), "")

    def note_checksum(self, path: str, value: str) -> None:
        """Remember that of a scene file that was read or written."""
        self._checksums[os.path.realpath(path)] = value

    @property
    def recent(self) -> list[str]:
        """The files opened or saved last that are still there, the last one first; looks at the disk."""
        paths: tuple[str, ...] = self._settings.value(RECENT)
        return [path for path in paths if Path(path).is_file() or is_recording(path)]

    def note(self, path: str) -> None:
        """Make a file the most recent one."""
        absolute = str(Path(path).absolute())
        if not absolute.isprintable():
            return
        others = [other for other in self._settings.value(RECENT) if other != absolute]
        self._settings.change(RECENT, (absolute, *others)[: setting_at(RECENT, Texts).most])
