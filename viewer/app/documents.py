"""The scenes that a window has to do with: opening and saving, the files opened last."""

import os
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.app.columns import ask_columns, offer_columns
from viewer.app.flights import begin_recording
from viewer.app.unsaved import Unsaved
from viewer.commands.start import begin_here
from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.physics.solids.mesh_body import mesh_source
from viewer.physics.solids.mesh_files.limits import is_mesh_file
from viewer.replay.opening import checksum, read, read_several, with_flight
from viewer.scenario.embedded import TEXT_LIMIT
from viewer.scenario.field import Texts
from viewer.scenario.playlists import is_playlist
from viewer.scenario.playlists import load as load_playlist
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import check_not_an_input, is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.scene_file import is_picture
from viewer.ui.host import Host
from viewer.user.autosave import Leftover
from viewer.user.settings import setting_at
from viewer.workspace.opening import LOOK_EVERY, Awaited, Opening, awaited_by

if TYPE_CHECKING:
    from viewer.replay.mapping import ColumnMapping
    from viewer.replay.opening import Recordings

RECENT = "scenes.recent"


class Documents:
    """Follows the session of `app`. What goes wrong is shown. `unsaved`: what must not be lost."""

    def __init__(self, app: Host, unsaved: bool = False, checksum_left: str = "", opened: str | None = None) -> None:
        """`unsaved`: the last window left the scene so; `checksum_left`: of the scene's file as it knew that.
        `opened`: the name by which the scene was opened."""
        self._app, self.unsaved = app, Unsaved(app, take_back=unsaved)
        self._checksums: dict[str, str] = {}  # of scene files as they were read or written last
        self._read_checksum = ""  # of the file that is being read
        if self.path is not None:
            self._checksums[os.path.realpath(self.path)] = checksum_left or checksum(self.path)
        self._listed, self._together = True, False  # what is being opened: see `open`; several recordings
        self._asked: str | None = None  # of which file what its columns are
        self._names: list[str] = []  # of several that are read together
        self._opened_by = opened
        self._told: list[str] = []  # of the scene being read: why its recording is missing
        self.awaited: Awaited | None = None  # until they are there
        self._opening: Opening[tuple[Scenario, Recordings | None]] | None = None
        self._shown_opening: str | None = None  # the message about it that was shown last
        self._show_opening_at = -inf  # when it may be shown anew: drawing takes time from the reading

    @property
    def path(self) -> str | None:
        """The open scene's own file; None where it has none."""
        return self._app.workspace.session.document.path

    @property
    def inputs(self) -> tuple[str, ...]:
        """All files that the open scene has been read from, and presets."""
        document = self._app.workspace.session.document
        recordings = () if document.recordings is None else document.recordings.files
        return (*filter(None, (document.path, self._opened_by)), *recordings, *document.scenario.files)

    def open(self, name: str, listed: bool = True) -> str | None:
        """Opens a preset, a scene file, a recording or a playlist; returns the error where that fails: then the old
        scene runs on.

        What takes long to read is opened later, unless it is ended by `end_opening`. `listed`: it will stand among the
        recent files, and ends the playlist that there was; else it is one of its scenes.
        """
        self.end_opening()
        if listed and is_playlist(name):
            return self._open_playlist(name)
        self._listed, self._together = listed, False
        return self._begin(name)

    def _begin(self, name: str, columns: "ColumnMapping | None" = None) -> str | None:
        """Begins to read a file; returns the error where that fails at once."""
        base = self._app.workspace.tour.without_tour(self._app.workspace.session.scenario)
        body = self._app.workspace.session.document.given_body
        told: list[str] = []
        self._told = told

        def read_file(progress: Callable[[float], None]) -> "tuple[Scenario, Recordings | None]":
            path = own_file(name)  # another program's change of the file from here on is noticed
            small = path is not None and os.path.isfile(path) and os.path.getsize(path) <= TEXT_LIMIT
            self._read_checksum = checksum(name) if small else ""
            return read(name, base, progress, columns, body, told.append)

        self._opening = Opening(name, read_file)
        return self._finish_opening() if self._opening.done else None

    def open_together(self, names: list[str]) -> str | None:
        """Opens what was chosen or dropped on the window: several recordings together, of anything else the first."""
        if len(names) < 2 or not all(map(is_recording, names)):
            return self.open(names[0]) if names else None
        self.end_opening()
        return self._begin_together(names)

    def _begin_together(self, names: list[str], said: "tuple[str, ColumnMapping] | None" = None) -> str | None:
        """Begins to read several recordings. `said`: what the columns of one of them are, by its name."""
        self._listed = self._together = True
        self._names = names
        base = self._app.workspace.tour.without_tour(self._app.workspace.session.scenario)
        self._opening = Opening(_together(len(names)), lambda progress: read_several(names, base, progress, said))
        return self._finish_opening() if self._opening.done else None

    def choose_flight(self, which: str) -> str | None:
        """Opens another flight of the recording that is open, or "all" fitted together; returns the error where that
        fails."""
        found, base = self._app.workspace.session.document.recording, self._app.workspace.session.scenario
        if found is None:
            return None
        self.end_opening()
        self._listed, self._together = True, False
        self._opening = Opening(found.recording.name, lambda progress: with_flight(found, which, base))
        return self._finish_opening() if self._opening.done else None

    def _open_playlist(self, name: str) -> str | None:
        """Begins a lecture; nothing changes where the playlist cannot be read."""
        ui = self._app.ui
        error = self._app.workspace.messages.attempt(lambda: ui.lecture.begin(load_playlist(name)))
        if error is None:
            self._note(name)
        return error

    @property
    def opening(self) -> str | None:
        """The message about the file that is being read."""
        if self._opening is None:
            return None
        name = Path(self._opening.name).name
        percent = f"{100 * self._opening.fraction:.0f}"
        return tr("Opening {name}: {percent} % (Escape cancels)").format(name=name, percent=percent)

    def end_opening(self) -> None:
        """A file that is being read is not opened."""
        self._asked = self.awaited = None
        if self._opening is not None:
            self._opening.end()
            self._opening = None
            self._app.ui.touched()

    def _finish_opening(self) -> str | None:
        """Shows what has been read, or asks what it needs to know before; returns the error where that fails."""
        opening, self._opening = self._opening, None
        assert opening is not None
        if self.awaited is not None:
            self.awaited = None
            return self._attach(opening)
        name, messages = opening.name, self._app.workspace.messages
        if self._listed and (self._together or is_recording(name)):
            return self._show_recordings(self._names if self._together else [name], opening)
        if not self._listed or not is_mesh_file(name):
            return self._show(name, opening.result)
        return messages.attempt(lambda: self._open_mesh(name, opening.result()[0]))

    def _begin_awaited(self, awaited: Awaited) -> None:
        """Begins to read the recordings of the scene that is open."""
        scenario, told = self._app.workspace.session.scenario, list[str]()
        self._told = told
        name = awaited.files[0] if len(awaited.files) == 1 else _together(len(awaited.files))
        self._opening = Opening(name, lambda progress: (scenario, awaited.read(progress, told.append)))
        if self._opening.done:
            self._finish_opening()

    def _attach(self, opening: "Opening[tuple[Scenario, Recordings | None]]") -> str | None:
        """Shows the recordings of the scene that is open; returns the error where that fails."""

        def attach() -> None:
            scenario, found = opening.result()
            if found is not None:
                self._app.workspace.session.attach(found, scenario)

        error = self._app.workspace.messages.attempt(attach)
        self.report_recording()
        self._tell()
        return error

    def _tell(self) -> None:
        """Says what was missing of what has been read."""
        told, self._told = self._told, []
        for line in told:
            self._app.workspace.messages.error(line)

    def _show_recordings(self, names: list[str], opening: "Opening[tuple[Scenario, Recordings | None]]") -> str | None:
        """Shows one recording or several, or asks what the columns of one are where their names do not say it; returns
        the error where that fails."""
        from viewer.replay.files.column_names import UnknownColumns  # here: few windows read a recording

        ui = self._app.ui
        try:
            opening.result()
        except UnknownColumns as error:
            path = error.path
            if path != self._asked:
                return ask_columns(self._app, path, error.names, lambda columns: self._map(names, path, columns))
        except InputError:
            pass  # is shown below
        error_shown = self._show(opening.name, opening.result)
        if error_shown is not None and self._asked is not None:
            ui.columns_dialog.refuse(error_shown)
        elif error_shown is not None and len(names) == 1:
            offer_columns(self._app, names[0], error_shown, lambda columns: self._map(names, names[0], columns))
        return error_shown

    def ask_columns(self) -> str | None:
        """Asks again what the columns of the recording are that is open; returns the error where that fails."""
        files = (
            ()
            if self._app.workspace.session.document.recordings is None
            else self._app.workspace.session.document.recordings.files
        )
        if len(files) != 1:
            return self._app.workspace.messages.attempt(_no_recording)
        return ask_columns(self._app, files[0], None, lambda columns: self._map(list(files), files[0], columns))

    def _map(self, names: list[str], path: str, columns: "ColumnMapping") -> str | None:
        """Opens recordings of which the columns of the one at `path` were asked about; returns the error where that
        fails at once."""
        self.end_opening()
        self._asked = path
        if len(names) > 1:
            return self._begin_together(names, (path, columns))
        self._listed, self._together = True, False
        return self._begin(path, columns)

    def _open_mesh(self, name: str, scenario: Scenario) -> None:
        """Opens the scene of a mesh, after asking where its file does not say its unit."""
        if mesh_source(name).file.unit is None:
            self._ask_size(name, scenario)
        else:
            self._show(name, lambda: (scenario, None))

    def ask_size(self, name: str) -> None:
        """Asks about the mesh that the window has begun with, where its file does not say its unit."""
        session = self._app.workspace.session
        if is_mesh_file(name) and mesh_source(name).file.unit is None:
            self._ask_size(name, session.scenario)

    def _ask_size(self, name: str, scenario: Scenario) -> None:
        """Asks about a mesh of which `scenario` is the scene, as it is guessed."""
        self._app.workspace.messages.clear()  # about another file, or about what is guessed
        self._app.ui.mesh_dialog.ask(name, scenario, lambda given: self._show(name, lambda: (given, None)))

    def _show(self, name: str, result: "Callable[[], tuple[Scenario, Recordings | None]]") -> str | None:
        """Shows what has been read; returns the error where that fails."""
        session = self._app.workspace.session
        before = session.scenario
        path = None if self._together else own_file(name)
        error = self._app.workspace.messages.attempt(lambda: session.open(*result(), path=path))
        if error is None:
            if path is not None:
                self._checksums[os.path.realpath(path)] = self._read_checksum
            self._opened_by = None if self._together else name
            if self._listed:
                self._app.ui.lecture.forget()
            if self._listed and not self._together and name not in PRESETS:
                self._note(name)
            self._opened(before)
            if self._listed and self._app.ui.recovery.box is not None:
                self._app.ui.recovery.close()
                self._app.workspace.messages.notice(tr("What was not saved is offered again at the next start"))
            self.report_mesh(name)
            self.report_recording()
            self._tell()
        return error

    def _opened(self, before: Scenario) -> None:
        """Another scene is open than `before`."""
        self._app.workspace.tour.close()
        self._app.workspace.scene_opened(before)

    def report_mesh(self, name: str) -> None:
        """Says of a mesh that was opened by `name` what was taken for its unit, and what its inertia comes from."""
        if is_mesh_file(name):
            self._app.workspace.messages.notice(self._app.workspace.session.scenario.summary)

    def report_recording(self) -> None:
        """Lets what was recorded run again and again, and says what came out of it."""
        line = begin_recording(self._app)
        if line is not None:
            self._app.workspace.messages.notice(line)

    def save(self) -> None:
        """Writes the scene to its file; asks for one where it has none, or where another program has changed it."""
        if self.path is None:
            self.ask_save()
        else:
            self._save_again(self.path)

    def _save_again(self, path: str) -> None:
        """Writes the scene to a file that holds it already; asks where another program has changed that meanwhile."""
        if not os.path.lexists(path) or checksum(path) == self.checksum_of(path):
            self.save_to(path)
            return
        why = tr(
            "{name} is not as it was read or saved here: Replace discards what is in it now, another name keeps both"
        )
        self._app.ui.dialog.ask_save(path, self.save_to, why=why.format(name=Path(path).name))

    def checksum_of(self, path: str) -> str:
        """That of a scene file as it was read or written last; empty where it was neither."""
        return self._checksums.get(os.path.realpath(path), "")

    def save_to(self, path: str) -> str | None:
        """Writes the scene to a file; returns the error where that fails."""
        app, session = self._app, self._app.workspace.session
        recordings = session.document.recordings

        def save() -> None:
            check_not_an_input(path, () if recordings is None else recordings.files)
            app.workspace.session.save(path)

        error = app.workspace.messages.attempt(save)
        if error is None:
            app.ui.lecture.own = None
            self._checksums[os.path.realpath(path)] = checksum(path)
            self._note(path)
            if app.workspace.session.document.pushed:
                self._offer_pushes(path)
                return None
            app.workspace.messages.notice(
                tr("Saved {file}").format(file=path)
                if recordings is None or app.workspace.session.scenario.recording.files
                else tr("Saved {file}, without the recording: {names} keeps what was measured").format(
                    file=path,
                    names=", ".join(Path(name).name for name in recordings.files)
                    or app.workspace.session.scenario.title,
                )
            )
        return error

    def _offer_pushes(self, path: str) -> None:
        """Says that the file of this path does not hold what pushed the motion, and offers one that does."""
        session = self._app.workspace.session
        document = session.document

        def save() -> None:
            if self._app.workspace.messages.attempt(lambda: begin_here(session)) is None:
                self._save_again(path)

        self._app.workspace.messages.offer(
            tr("Saved {file}: the scene as it starts, without the pushes since").format(file=path),
            tr("Start from here and save"),
            save,
            lambda: session.document.pushed and session.document.path == document.path,
        )

    def ask_open(self) -> None:
        """Asks for a scene to open."""
        self._app.ui.dialog.ask_open(self.path, self.open_together)

    def ask_mesh(self, near: str | None, done: Callable[[str], str | None]) -> None:
        """Asks for a mesh file, which `done` gets; what it returns is shown as an error."""
        self._app.ui.dialog.ask_mesh(near or self.path, done)

    def ask_save(self) -> None:
        """Asks where to save the scene."""
        self._app.ui.dialog.ask_save(self.path, self.save_to, self._app.workspace.session.scenario.title)

    @property
    def recent(self) -> list[str]:
        """The files opened or saved last that are still there, the last one first; looks at the disk."""
        paths: tuple[str, ...] = self._app.workspace.settings.value(RECENT)
        return [path for path in paths if Path(path).is_file() or is_recording(path)]

    def _note(self, path: str) -> None:
        """Makes it the most recent file."""
        absolute = str(Path(path).absolute())
        if not absolute.isprintable():
            return
        others = [other for other in self._app.workspace.settings.value(RECENT) if other != absolute]
        limit = setting_at(RECENT, Texts).most
        self._app.workspace.settings.change(RECENT, (absolute, *others)[:limit])

    def follow(self, now: float) -> None:
        """Called before every frame; `now`: seconds on the app's clock."""
        if self.awaited is not None and self._opening is None and self._app.frames > 0:
            self._begin_awaited(self.awaited)
        if self._opening is not None and self._opening.done:
            self._app.ui.touched()
            self._finish_opening()
        elif self._opening is not None and self.opening != self._shown_opening and now >= self._show_opening_at:
            self._shown_opening, self._show_opening_at = self.opening, now + LOOK_EVERY
            self._app.ui.freshness.one_more()
        self.unsaved.follow(now)

    def wait(self, now: float) -> float | None:
        """Seconds until it wants to be called again."""
        if self._opening is not None:
            return LOOK_EVERY
        if self.awaited is not None:
            return 0.0
        return self.unsaved.wait(now)

    def restore(self, left: Leftover) -> None:
        """Opens a scene that was left behind; it is unsaved as before."""
        session = self._app.workspace.session
        before = session.scenario
        if (
            self._app.workspace.messages.attempt(lambda: session.open(Scenario.load(left.path), saved=False))
            is not None
        ):
            return
        self._opened_by = None
        self._app.ui.lecture.own = None
        self._opened(before)
        self.awaited = awaited_by(session.scenario)
        self.unsaved.adopt(left)

    def close(self) -> None:
        """The window closes."""
        self.end_opening()
        self.unsaved.close()


def _together(count: int) -> str:
    """What several recordings are called."""
    return tr("{count} recordings").format(count=count)


def _no_recording() -> None:
    raise InputError(tr("columns: there is no single recording from a file whose columns could be said"))


def own_file(name: str | None) -> str | None:
    """The file in which a scene is saved that was opened by `name`; None for a preset and what is no scene file."""
    if name is None:
        return None
    foreign = is_recording(name) or is_mesh_file(name) or is_picture(name)
    return None if name in PRESETS or foreign else name
