"""Opens scenes, meshes and recordings: reads them in a thread, asks for what a file does not say, and shows the scene.

A failure becomes a message, and the old scene runs on; the functions return the error if it is known at once.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from viewer.common.errors import InputError
from viewer.common.language import marked, tr
from viewer.export import console
from viewer.physics.solids.limits import is_mesh_file
from viewer.physics.solids.mesh_body import mesh_source
from viewer.replay.opening import checksum, read, read_repaired, read_several, with_flight
from viewer.scenario.embedded import TEXT_LIMIT
from viewer.scenario.presets import PRESETS
from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario
from viewer.scene.words.formatting import sentence
from viewer.user.autosave import Leftover
from viewer.workspace.files import LOOK_EVERY, Opened, Opening, Progress, Request, awaited_by, own_file
from viewer.workspace.messages import COLUMNS
from viewer.workspace.questions import ColumnsQuestion, MeshSizeQuestion, Moments
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.mapping import ColumnMapping
    from viewer.replay.recording import Recording

REPAIR = marked("Repair")
OPEN_SECTIONS, FLIGHTS = "panel.open_sections", marked("Flights")  # the setting, and the panel's section in it


def open_scene(workspace: Workspace, name: str, listed: bool = True) -> str | None:
    """Open a preset, a scene file, a mesh or a recording.

    A file that takes long is shown only after it has been read, unless `end_opening` cancels that. `listed` is as in
    Request.
    """
    end_opening(workspace)
    return _read_one(workspace, Request(name, listed))


def open_recordings(workspace: Workspace, names: Sequence[str]) -> str | None:
    """Open several recordings together."""
    end_opening(workspace)
    return _read_several(workspace, Request.of(names))


def choose_flight(workspace: Workspace, which: str) -> str | None:
    """Open a flight of the open recording, or all of them with one body fitted to them.

    `which` is the flight's number, counted from 1, or "all".
    """
    found, base = workspace.session.document.recording, workspace.session.scenario
    if found is None:
        return None
    end_opening(workspace)
    return _begin(workspace, Request(found.recording.name), lambda progress: with_flight(found, which, base))


def repair(workspace: Workspace) -> str | None:
    """Read the open recordings again, so that their rates and orientations agree."""
    found = workspace.session.document.recordings
    return None if found is None else _repair(workspace, found.files, found)


def end_opening(workspace: Workspace) -> None:
    """Cancel the reading of a file, if there is one."""
    files = workspace.files
    files.awaited = files.first = None
    if files.opening is not None:
        files.opening.end()
        files.opening = None


def restore(workspace: Workspace, left: Leftover) -> None:
    """Open a scene that was left behind, and cancel the reading of a file; the scene remains unsaved."""
    session = workspace.session
    before = session.scenario
    if workspace.messages.attempt(lambda: session.open(Scenario.load(left.path), saved=False)) is not None:
        return
    end_opening(workspace)
    workspace.files.opened_by = workspace.lecture.own = None
    workspace.tour.close()
    workspace.scene_opened(before)
    workspace.files.awaited = awaited_by(session.scenario)
    workspace.unsaved.adopt(left)


def follow(workspace: Workspace, now: float) -> None:
    """Go on with the reading of files; called before every frame after the first.

    `now` is the time on the clock [s].
    """
    files = workspace.files
    if files.awaited is not None and files.opening is None:
        scenario, awaited = workspace.session.scenario, files.awaited
        request = Request.of(awaited.files)
        _begin(workspace, request, lambda progress: (scenario, awaited.read(progress, request.missing.append)))
    if files.first is not None and workspace.tour.tour is None:
        request, files.first = files.first, None
        (_read_several if request.names else _read_one)(workspace, request)
    if files.opening is not None and files.opening.done:
        _finish(workspace)
    if workspace.unsaved.follow(now):
        workspace.changed()


def wait(workspace: Workspace, now: float) -> float | None:
    """Return the seconds until `follow` must be called again; None if never."""
    if workspace.files.opening is not None:
        return LOOK_EVERY
    waiting = workspace.files.awaited is not None or workspace.files.first is not None
    return 0.0 if waiting else workspace.unsaved.wait(now)


# -- reading ------------------------------------------------------------------------------------------------------


def _read_one(workspace: Workspace, request: Request, columns: "ColumnMapping | None" = None) -> str | None:
    name = request.name
    base, body = workspace.tour.without_tour(workspace.session.scenario), workspace.session.document.given_body

    def read_file(progress: Progress) -> Opened:
        path = own_file(name)  # changes of the file by other programs are noticed from here on
        small = path is not None and os.path.isfile(path) and os.path.getsize(path) <= TEXT_LIMIT
        request.checksum = checksum(name) if small else ""
        return read(name, base, progress, columns, body, request.missing.append, request.moments)

    return _begin(workspace, request, read_file)


def _read_several(
    workspace: Workspace, request: Request, declared: "tuple[str, ColumnMapping] | None" = None
) -> str | None:
    """Read several recordings; `declared` is the path of one of them, and the meaning of its columns."""
    base = workspace.tour.without_tour(workspace.session.scenario)
    return _begin(
        workspace, request, partial(read_several, request.names, base, declared=declared, moments=request.moments)
    )


def _repair(workspace: Workspace, names: Sequence[str], found: "Replay | None") -> str | None:
    """Read recordings so that their rates and orientations agree; `found` is as in `read_repaired`."""
    base, body = workspace.tour.without_tour(workspace.session.scenario), workspace.session.document.given_body
    end_opening(workspace)
    return _begin(workspace, Request.of(names), lambda progress: read_repaired(names, found, base, body, progress))


def _begin(workspace: Workspace, request: Request, read_it: Callable[[Progress], Opened]) -> str | None:
    workspace.files.opening = opening = Opening(request, read_it)
    return _finish(workspace) if opening.done else None


def _finish(workspace: Workspace) -> str | None:
    """Show the scene that has been read, or first ask for what its file does not say."""
    files = workspace.files
    opening, files.opening = files.opening, None
    assert opening is not None
    if files.awaited is not None:
        files.awaited = None
        return _attach(workspace, opening)
    request = opening.request
    if request.listed and (request.names or is_recording(request.name)):
        return _show_recordings(workspace, opening)
    if not request.listed or not is_mesh_file(request.name):
        return _show(workspace, request, opening.result)
    return workspace.messages.attempt(lambda: _open_mesh(workspace, request, opening.result()[0]))


def _attach(workspace: Workspace, opening: Opening) -> str | None:
    """Add the recordings that have been read to the open scene, which names them."""

    def attach() -> None:
        scenario, found = opening.result()
        if found is not None:
            workspace.session.attach(found, scenario)

    error = workspace.messages.attempt(attach)
    report_recording(workspace)
    _report_missing(workspace, opening.request)
    return error


# -- showing ------------------------------------------------------------------------------------------------------


def _show(workspace: Workspace, request: Request, result: Callable[[], Opened]) -> str | None:
    """Open the scene that has been read."""
    session, messages, files = workspace.session, workspace.messages, workspace.files
    before = session.scenario
    path = None if request.names else own_file(request.name)

    def open_it() -> None:
        scenario, found = result()
        changed = scenario if request.changes is None else request.changes(scenario)
        session.open(changed, found, path=path, undoable=not request.begins)

    if (error := messages.attempt(open_it)) is not None:
        if request.begins:
            console.report(error)
        return error
    if path is not None:
        files.note_checksum(path, request.checksum)
    files.opened_by = None if request.names else request.name
    if request.listed:
        workspace.lecture.forget()
    if request.listed and not request.names and request.name not in PRESETS:
        files.note(request.name)
    workspace.tour.close()
    workspace.scene_opened(before)
    if request.listed and workspace.unsaved.offered and not request.begins:
        workspace.unsaved.postponed = True
        messages.notice(tr("What was not saved is offered again at the next start"))
    report_mesh(workspace, request.name)
    report_recording(workspace)
    _report_missing(workspace, request)
    return None


def report_mesh(workspace: Workspace, name: str) -> None:
    """Report the unit that was assumed for a mesh opened by `name`, and the source of its inertia."""
    if is_mesh_file(name):
        workspace.messages.notice(workspace.session.scenario.summary)


def report_recording(workspace: Workspace) -> None:
    """Play the recorded time in a loop, unfold the flights that it has, and report the result in one line.

    The line says what happened in the flight, or which recording is the closest. If rates and orientations disagree, it
    says how, until they are repaired or it is closed.
    """
    found, settings = workspace.session.document.recordings, workspace.settings
    if found is None:
        return
    workspace.session.scene.loop_recording()
    unfolded: tuple[str, ...] = settings.value(OPEN_SECTIONS)
    if found.flight is not None and FLIGHTS not in unfolded:
        settings.change(OPEN_SECTIONS, (*unfolded, FLIGHTS))
    if found.repairable:
        line = ". ".join(map(sentence, found.contradictions))
        again, still_open = partial(repair, workspace), lambda: workspace.session.document.recordings is found
        workspace.messages.offer(line, tr(REPAIR), again, still_open, leave=lambda: None)
    elif found.line is not None:
        workspace.messages.notice(sentence(found.line))


def _report_missing(workspace: Workspace, request: Request) -> None:
    """Report each file that was missing."""
    for line in request.missing:
        workspace.messages.error(line)


# -- what a file does not tell ------------------------------------------------------------------------------------


def _open_mesh(workspace: Workspace, request: Request, scenario: Scenario) -> None:
    """Open the scene of a mesh; if its file does not say its unit, ask for that first."""
    if mesh_source(request.name).file.unit is not None:
        _show(workspace, request, lambda: (scenario, None))
        return
    workspace.messages.clear()  # it was about another file, or about the guess
    workspace.ask(
        MeshSizeQuestion(request.name, scenario, lambda given: _show(workspace, request, lambda: (given, None)))
    )


def ask_size(workspace: Workspace, name: str) -> None:
    """Ask for the size of the mesh with which the window began, if its file does not say its unit."""
    if is_mesh_file(name) and mesh_source(name).file.unit is None:
        _open_mesh(workspace, Request(name), workspace.session.scenario)


def _show_recordings(workspace: Workspace, opening: Opening) -> str | None:
    """Show one or several recordings that have been read, or ask what the columns mean if their names do not say it."""
    from viewer.replay.files.column_names import UnknownColumns  # here: few windows read a recording
    from viewer.replay.fits.frames import Unrepaired

    request = opening.request
    names, question, unrepaired = request.names or (request.name,), request.question, False
    try:
        opening.result()
    except UnknownColumns as error:
        if question is None or error.path != question.path:
            return _ask_columns(workspace, request, error.path, error.names)
    except InputError as error:  # is shown below
        unrepaired = isinstance(error, Unrepaired)
    error_shown = _show(workspace, request, opening.result)
    if error_shown is not None and question is not None:
        workspace.messages.clear()  # the dialog shows it
        question.error = error_shown
        workspace.ask(question)
    elif error_shown is not None and unrepaired:
        again = partial(_repair, workspace, names, None)
        workspace.messages.offer(error_shown, tr(REPAIR), again, lambda: True, error=True)
    elif error_shown is not None and len(names) == 1:
        _offer_columns(workspace, request, error_shown)
    return error_shown


def ask_columns(workspace: Workspace) -> str | None:
    """Ask again what the columns of the open recording mean."""
    found = workspace.session.document.recordings
    files = () if found is None else found.files
    if found is None or len(files) != 1:
        problem = tr("No recording from a single file is open, so there are no columns to assign")
        workspace.messages.error(problem)
        return problem
    first = found.recordings[0]
    return _ask_columns(workspace, Request(files[0], moments=first.read_as.wanted.moments), files[0], None, first)


def _offer_columns(workspace: Workspace, request: Request, error: str) -> None:
    """Show the `error` that kept a table from being opened, with a button to declare its columns; skip other files."""
    from viewer.replay.mapping import preview  # here: few windows read a recording

    try:
        columns, _ = preview(request.name, None)
    except InputError:  # it is no table
        return
    if sum(bool(column.first) for column in columns) < 3:  # nor one of numbers
        return
    ask = lambda: _ask_columns(workspace, request, request.name, None)  # noqa: E731
    workspace.messages.offer(error, tr(COLUMNS), ask, lambda: True, error=True)


def _ask_columns(
    workspace: Workspace, request: Request, path: str, table: Sequence[str] | None, found: "Recording | None" = None
) -> str | None:
    """Ask what the columns of the file at `path` mean, which is one of the files of `request`.

    `table` has the names of the columns of a table, from which their meaning does not follow. It is None if the user
    wants to declare the columns of the file's first table differently. `found` is the open recording of the
    file: the dialog begins with what was declared of it.
    """
    from viewer.replay.mapping import ColumnMapping, preview  # here: few windows read a recording
    from viewer.replay.scene import recalled

    def ask() -> None:
        columns, shape = preview(path, table, None if found is None else found.conventions.order)
        workspace.messages.clear()  # it was about another file
        before = None if table is not None else recalled(shape)
        if found is not None:
            read_as = found.read_as
            before = (read_as.columns or ColumnMapping(())).declaring(read_as.wanted, read_as.step)
        question = ColumnsQuestion(
            path, columns, lambda mapping, moments: answer(mapping, moments), before, request.moments, table is None
        )

        def answer(mapping: "ColumnMapping", moments: Moments | None) -> str | None:
            end_opening(workspace)
            question.error = ""
            again = replace(request, question=question, moments=moments, missing=[])
            if again.names:
                return _read_several(workspace, again, (path, mapping))
            return _read_one(workspace, again, mapping)

        workspace.ask(question)

    return workspace.messages.attempt(ask)
