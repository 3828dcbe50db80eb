"""Opens and saves files by their names, and asks for names that are missing."""

import os
from collections.abc import Callable
from pathlib import Path

from viewer.commands import lecture
from viewer.commands.opening import open_recordings, open_scene
from viewer.commands.start import begin_here
from viewer.common.language import tr
from viewer.replay.opening import checksum
from viewer.scenario.playlists import is_playlist
from viewer.scenario.playlists import load as load_playlist
from viewer.scenario.recordings import check_not_an_input, is_recording
from viewer.workspace.questions import MeshFileQuestion, OpenQuestion, PictureQuestion, SaveQuestion
from viewer.workspace.workspace import Workspace


def open_named(workspace: Workspace, name: str) -> str | None:
    """Open a preset, a scene file, a mesh, a recording or a playlist; return the error if that fails at once."""
    if not is_playlist(name):
        return open_scene(workspace, name)
    error = workspace.messages.attempt(lambda: lecture.begin(workspace, load_playlist(name)))
    if error is None:
        workspace.files.note(name)
    return error


def open_together(workspace: Workspace, names: list[str]) -> str | None:
    """Open files that were chosen or dropped on the window.

    Several recordings are opened together; of other files, only the first one is opened.
    """
    if len(names) < 2 or not all(map(is_recording, names)):
        return open_named(workspace, names[0]) if names else None
    return open_recordings(workspace, names)


def ask_open(workspace: Workspace) -> None:
    """Ask for a scene to open."""
    workspace.ask(OpenQuestion(workspace.files.path, lambda names: open_together(workspace, names)))


def ask_mesh(workspace: Workspace, near: str | None, done: Callable[[str], str | None]) -> None:
    """Ask for a mesh file, and pass its path to `done`; the dialog shows the error that `done` returns, if any."""
    workspace.ask(MeshFileQuestion(near or workspace.files.path, lambda names: done(names[0])))


def ask_picture(workspace: Workspace, film: bool) -> None:
    """Ask which picture or film to save, and where. Raises InputError while a file is being saved."""
    workspace.writer.check_free()
    workspace.ask(PictureQuestion(film, workspace.writer.unused(film)))


def save(workspace: Workspace) -> None:
    """Write the scene to its file; ask where to save if it has no file, or if another program has changed the file."""
    if workspace.files.path is None:
        ask_save(workspace)
    else:
        _save_again(workspace, workspace.files.path)


def ask_save(workspace: Workspace, why: str = "") -> None:
    """Ask where to save the scene; `why` is as in SaveQuestion."""
    title = workspace.session.scenario.title
    workspace.ask(SaveQuestion(workspace.files.path, lambda names: save_to(workspace, names[0]), title, why))


def _save_again(workspace: Workspace, path: str) -> None:
    """Write the scene to its file again; if another program has changed the file meanwhile, ask where to save."""
    if not os.path.lexists(path) or checksum(path) == workspace.files.checksum_of(path):
        save_to(workspace, path)
        return
    why = tr("{name} is not as it was read or saved here: Replace discards what is in it now, another name keeps both")
    ask_save(workspace, why.format(name=Path(path).name))


def save_to(workspace: Workspace, path: str) -> str | None:
    """Write the scene to a file; return the error, or None if it is written."""
    session, messages = workspace.session, workspace.messages
    recordings = session.document.recordings

    def write() -> None:
        check_not_an_input(path, () if recordings is None else recordings.files)
        session.save(path)

    error = messages.attempt(write)
    if error is not None:
        return error
    workspace.lecture.own = None
    workspace.files.note_checksum(path, checksum(path))
    workspace.files.note(path)
    if session.document.pushed:
        _offer_pushes(workspace, path)
    elif recordings is None or session.scenario.recording.files:
        messages.notice(tr("Saved {file}").format(file=path))
    else:
        names = ", ".join(Path(name).name for name in recordings.files) or session.scenario.title
        text = tr("Saved {file}, without the recording: {names} keeps what was measured")
        messages.notice(text.format(file=path, names=names))
    return None


def _offer_pushes(workspace: Workspace, path: str) -> None:
    """Report that the saved file lacks the pushes, and offer to save the motion's present state as its start."""
    session, messages = workspace.session, workspace.messages
    document = session.document

    def begin_and_save() -> None:
        if messages.attempt(lambda: begin_here(session)) is None:
            _save_again(workspace, path)

    messages.offer(
        tr("Saved {file}: the scene as it starts, without the pushes since").format(file=path),
        tr("Start from here and save"),
        begin_and_save,
        lambda: session.document.pushed and session.document.path == document.path,
    )
