"""The beginning of a window: the scene and settings that it starts with, and what it does first."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from viewer.commands import lecture
from viewer.commands.opening import ask_size, report_mesh, report_recording
from viewer.common import language
from viewer.scenario.playlists import Playlist
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.user.last_session import LastSession
from viewer.user.settings import Settings
from viewer.workspace.files import Awaited, Request, own_file
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.phone import Phone


@dataclass(frozen=True)
class Start:
    """The beginning of a window.

    Attributes
    ----------
    name
        The name of the preset or file from which `scenario` comes.
    size
        The window's size in pixels at scale 1, or None for the last one.
    settings
        The settings that are remembered between runs; by default none are.
    exit_after_frames
        The number of frames after which the run, which nobody watches, ends by itself; else None.
    last_session
        The state in which the last window closed, if `scenario` is its scene.
    guest
        Whether the user has not asked for `scenario`; if it is closed unchanged, the last session is kept.
    recording
        As in Session.
    awaited
        The recordings that are read beside `scenario` once the window is open.
    opening
        The recordings that are opened in place of `scenario` once the window is open.
    tour, playlist
        A guided tour or a lecture with which the window begins.
    first
        Whether this is the very first start, with a caption over the scene until the user takes over.
    phone
        The phone that is followed in `scenario`, which is then a `live_scene`.
    """

    scenario: Scenario
    name: str | None = None
    size: tuple[int, int] | None = None
    playing: bool = True
    settings: Settings = field(default_factory=Settings)
    exit_after_frames: int | None = None
    last_session: LastSession | None = None
    guest: bool = False
    recording: "Replay | None" = None
    awaited: Awaited | None = None
    opening: Request | None = None
    tour: str | None = None
    playlist: Playlist | None = None
    first: bool = False
    phone: "Phone | None" = None

    @property
    def watched(self) -> bool:
        """Whether a user watches the window."""
        return self.exit_after_frames is None


def workspace_of(start: Start, clock: Callable[[], float], animation_clock: Callable[[], float]) -> Workspace:
    """Return the workspace of a window with this beginning; the clocks are as in Workspace."""
    language.choose(start.settings.value("panel.language"))
    last = start.last_session
    session = Session(
        start.scenario,
        start.playing,
        recording=start.recording,
        saved=last is None or not last.unsaved,
        path=own_file(start.name),
        held=start.phone is not None,
    )
    workspace = Workspace(session, start.settings, clock, animation_clock, start.name, last)
    workspace.files.awaited, workspace.files.first = start.awaited, start.opening
    return workspace


def begin(workspace: Workspace, start: Start) -> None:
    """Report problems and notes of the start, and begin the tour, the lecture, or whatever else `start` asks for."""
    for problem in start.settings.problems:
        workspace.messages.error(problem)
    if start.name is not None and start.last_session is None:
        report_mesh(workspace, start.name)
        ask_size(workspace, start.name)
    report_recording(workspace)
    if start.tour is not None:
        workspace.tour.start(start.tour)
    elif start.playlist is not None:
        lecture.begin(workspace, start.playlist)
    elif start.first:
        workspace.first_scene.begin()
    if start.phone is not None:
        from viewer.commands.live import Live  # here: SciPy takes long to import

        workspace.phone = Live(workspace, start.phone)
