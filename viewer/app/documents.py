"""The scenes that a window has to do with: opening and saving, the files opened last, what must not be lost."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.app.columns import ask_columns, offer_columns
from viewer.app.flights import begin_recording
from viewer.app.opening import LOOK_EVERY, Opening
from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.export import console
from viewer.physics.solids.mesh_body import mesh_source
from viewer.physics.solids.mesh_files.suffixes import is_mesh_file
from viewer.scenario.playlists import is_playlist
from viewer.scenario.playlists import load as load_playlist
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scenario.scene_file import is_picture
from viewer.session.opening import given_body, read, read_several, with_flight
from viewer.ui.host import Host
from viewer.ui.input.grab.start import begin_here
from viewer.user import log
from viewer.user.autosave import Autosave, Leftover, left_behind
from viewer.user.settings import setting_at

if TYPE_CHECKING:
    from viewer.race.recorded_lane import Recordings
    from viewer.replay.mapping import ColumnMapping

RECENT = "scenes.recent"
LATE_ENOUGH = 0.3  # s after the first picture, before anything is looked for on the disk


class Documents:
    """Follows the session of `app`. What goes wrong is shown.

    `left`: scenes that ended programs have left unsaved, to be offered. Without a user's settings (a test, a script)
    nothing is kept and nothing is offered.
    """

    def __init__(self, app: Host, unsaved: bool = False) -> None:
        """`unsaved`: the last window left the scene so; what is kept of it then becomes this window's own."""
        self._app, self._take_back = app, unsaved
        self._autosave = Autosave() if app.settings.kept else None
        self._look_at: float | None = None  # when to look for what was left; inf: that is done
        self._reported: str | None = None  # why the scene is not kept
        self.left: list[Leftover] = []
        self._listed, self._together = True, False  # what is being opened: see `open`; several recordings
        self._asked: str | None = None  # of which file what its columns are
        self._names: list[str] = []  # of several that are read together
        self._told: list[str] = []  # of the scene being read: why its recording is missing
        self._opening: Opening[tuple[Scenario, Recordings | None]] | None = None
        self._shown_opening: str | None = None  # the message about it that was shown last
        self._show_opening_at = -inf  # when it may be shown anew: drawing takes time from the reading

    @property
    def path(self) -> str | None:
        """The open scene's own file; None where it has none."""
        return self._app.session.document.path

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
        base = self._app.ui.tour.without_tour(self._app.session.scenario)
        body = given_body(self._app.session.document)
        told: list[str] = []
        self._told = told
        self._opening = Opening(name, lambda progress: read(name, base, progress, columns, body, told.append))
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
        base = self._app.ui.tour.without_tour(self._app.session.scenario)
        together = tr("{count} recordings").format(count=len(names))
        self._opening = Opening(together, lambda progress: read_several(names, base, progress, said))
        return self._finish_opening() if self._opening.done else None

    def choose_flight(self, which: str) -> str | None:
        """Opens another flight of the recording that is open, or "all" fitted together; returns the error where that
        fails."""
        found, base = self._app.session.document.recording, self._app.session.scenario
        if found is None:
            return None
        self.end_opening()
        self._listed, self._together = True, False
        self._opening = Opening(found.recording.name, lambda progress: with_flight(found, which, base))
        return self._finish_opening() if self._opening.done else None

    def _open_playlist(self, name: str) -> str | None:
        """Begins a lecture; nothing changes where the playlist cannot be read."""
        ui = self._app.ui
        error = ui.messages.attempt(lambda: ui.lecture.begin(load_playlist(name)))
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
        self._asked = None
        if self._opening is not None:
            self._opening.end()
            self._opening = None
            self._app.ui.touched()

    def _finish_opening(self) -> str | None:
        """Shows what has been read, or asks what it needs to know before; returns the error where that fails."""
        opening, self._opening = self._opening, None
        assert opening is not None
        name, messages = opening.name, self._app.ui.messages
        if self._listed and (self._together or is_recording(name)):
            return self._show_recordings(self._names if self._together else [name], opening)
        if not self._listed or not is_mesh_file(name):
            return self._show(name, opening.result)
        return messages.attempt(lambda: self._open_mesh(name, opening.result()[0]))

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
        files = () if self._app.session.document.recordings is None else self._app.session.document.recordings.files
        if len(files) != 1:
            return self._app.ui.messages.attempt(_no_recording)
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
            self._app.ui.messages.clear()  # about another file
            self._app.ui.mesh_dialog.ask(name, scenario, lambda given: self._show(name, lambda: (given, None)))
        else:
            self._show(name, lambda: (scenario, None))

    def ask_size(self, name: str) -> None:
        """Asks about the mesh that the window has begun with, where its file does not say its unit."""
        session = self._app.session
        if is_mesh_file(name) and mesh_source(name).file.unit is None:
            self._app.ui.mesh_dialog.ask(name, session.scenario, lambda given: self._show(name, lambda: (given, None)))

    def _show(self, name: str, result: "Callable[[], tuple[Scenario, Recordings | None]]") -> str | None:
        """Shows what has been read; returns the error where that fails."""
        session = self._app.session
        before = session.scenario
        path = None if self._together else own_file(name)
        error = self._app.ui.messages.attempt(lambda: session.open(*result(), path=path))
        if error is None:
            if self._listed:
                self._app.ui.lecture.forget()
            if self._listed and not self._together and name not in PRESETS:
                self._note(name)
            self._opened(before)
            if self._listed and self._app.ui.recovery.box is not None:
                self._app.ui.recovery.later()
                self._app.ui.messages.notice(tr("What was not saved is offered again at the next start"))
            self.report_mesh(name)
            self.report_recording()
            told, self._told = self._told, []
            for line in told:
                self._app.ui.messages.error(line)
        return error

    def _opened(self, before: Scenario) -> None:
        """Another scene is open than `before`."""
        self._app.ui.tour.close()
        self._app.scene_opened(before)

    def report_mesh(self, name: str) -> None:
        """Says of a mesh that was opened by `name` what was taken for its unit, and what its inertia comes from."""
        if is_mesh_file(name):
            self._app.ui.messages.notice(self._app.session.scenario.summary)

    def report_recording(self) -> None:
        """Lets what was recorded run again and again, and says what came out of it."""
        line = begin_recording(self._app)
        if line is not None:
            self._app.ui.messages.notice(line)

    def save(self) -> None:
        """Writes the scene to its file; asks for one where it has none."""
        if self.path is None:
            self.ask_save()
        else:
            self.save_to(self.path)

    def save_to(self, path: str) -> str | None:
        """Writes the scene to a file; returns the error where that fails."""
        app = self._app
        error = app.ui.messages.attempt(lambda: app.session.save(path))
        if error is None:
            app.ui.lecture.own = None
            self._note(path)
            recordings = app.session.document.recordings
            if app.session.document.pushed:
                self._offer_pushes(path)
                return None
            app.ui.messages.notice(
                tr("Saved {file}").format(file=path)
                if recordings is None or app.session.scenario.recording.files
                else tr("Saved {file}, without the recording: {names} keeps what was measured").format(
                    file=path,
                    names=", ".join(Path(name).name for name in recordings.files) or app.session.scenario.title,
                )
            )
        return error

    def _offer_pushes(self, path: str) -> None:
        """Says that the file of this path does not hold what pushed the motion, and offers one that does."""
        session = self._app.session
        document = session.document

        def save() -> None:
            if self._app.ui.messages.attempt(lambda: begin_here(session)) is None:
                self.save_to(path)

        self._app.ui.messages.offer(
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
        self._app.ui.dialog.ask_save(self.path, self.save_to, self._app.session.scenario.title)

    @property
    def recent(self) -> list[str]:
        """The files opened or saved last that are still there, the last one first; looks at the disk."""
        paths: tuple[str, ...] = self._app.settings.value(RECENT)
        return [path for path in paths if Path(path).is_file() or is_recording(path)]

    def _note(self, path: str) -> None:
        """Makes it the most recent file."""
        absolute = str(Path(path).absolute())
        if not absolute.isprintable():
            return
        others = [other for other in self._app.settings.value(RECENT) if other != absolute]
        limit = setting_at(RECENT).most
        self._app.settings.change(RECENT, (absolute, *others)[:limit])

    def follow(self, now: float) -> None:
        """Called before every frame; `now`: seconds on the app's clock."""
        if self._opening is not None and self._opening.done:
            self._app.ui.touched()
            self._finish_opening()
        elif self._opening is not None and self.opening != self._shown_opening and now >= self._show_opening_at:
            self._shown_opening, self._show_opening_at = self.opening, now + LOOK_EVERY
            self._app.ui.freshness.one_more()
        if self._autosave is None:
            return
        self._autosave.follow(self._unsaved, now)
        if self._autosave.problem != self._reported:
            self._reported = self._autosave.problem
            if self._reported is not None:
                self._app.ui.messages.error(self._reported)
        if self._look_at is None and self._app.frames > 0:
            self._look_at = now + LATE_ENOUGH
        if self._look_at is not None and now >= self._look_at:
            self._look_at = inf
            self.left = left_behind(self._app.ui.messages.error)
            if self._take_back:
                self._adopt_own()
            if self.left:
                self._app.ui.touched()

    def _adopt_own(self) -> None:
        """What was left of the very scene that is open is not offered: it is this window's own."""
        now = self._unsaved
        if now is None or self._autosave is None:
            return
        for left in self.left:
            with contextlib.suppress(InputError, OSError):
                before = Scenario.load(left.path)
                if replace(before, view=now.view, playback=now.playback) == now and self._autosave.adopt(left, now):
                    self.left.remove(left)
                    return

    def keep(self) -> bool:
        """Writes what is not saved at once; False where there is nothing to keep, or nowhere."""
        unsaved = self._unsaved
        return self._autosave is not None and unsaved is not None and self._autosave.keep(unsaved)

    def wait(self, now: float) -> float | None:
        """Seconds until it wants to be called again."""
        if self._opening is not None:
            return LOOK_EVERY
        if self._autosave is None:
            return None
        due = inf if self._look_at is None else self._look_at - now
        wait = self._autosave.wait(now)
        due = min(due, inf if wait is None else wait)
        return None if due == inf else max(0.0, due)

    @property
    def _unsaved(self) -> Scenario | None:
        held = self._app.session.document.held  # a phone in the hand: there is nothing to come back to
        return None if held else self._app.ui.lecture.unsaved_scene

    def restore(self, left: Leftover) -> None:
        """Opens a scene that was left behind; it is unsaved as before, and its file is this window's own then."""
        session = self._app.session
        before = session.scenario
        if self._app.ui.messages.attempt(lambda: session.open(Scenario.load(left.path), saved=False)) is not None:
            return
        self.left.remove(left)
        self._app.ui.lecture.own = None
        self._opened(before)
        messages = self._app.ui.messages
        if self._autosave is None or self._unsaved is None:
            return
        try:
            if not self._autosave.adopt(left, self._unsaved):
                messages.error(tr("Another window has opened this scene, too: each keeps its own changes"))
        except OSError as error:  # the file stays, and is offered again
            text = tr("{file}: cannot be locked: {why}")
            messages.error(text.format(file=left.path, why=error.strerror or error))

    def discard(self, left: Leftover) -> None:
        """It is not wanted any more."""
        left.delete()
        self.left.remove(left)

    def close(self) -> None:
        """The window closes."""
        self.end_opening()
        if self._autosave is not None:
            problem = self._autosave.close(self._unsaved)
            if problem is not None:  # there is no window any more that could show it
                log.write("error", problem)
                console.report(problem)


def _no_recording() -> None:
    raise InputError(tr("columns: there is no single recording from a file whose columns could be said"))


def own_file(name: str | None) -> str | None:
    """The file in which a scene is saved that was opened by `name`; None for a preset and what is no scene file."""
    if name is None:
        return None
    foreign = is_recording(name) or is_mesh_file(name) or is_picture(name)
    return None if name in PRESETS or foreign else name
