"""What a window begins with, and what it does first."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from viewer.commands import lecture
from viewer.commands.documents import open_named
from viewer.commands.opening import ask_size, report_mesh, report_recording
from viewer.common import language
from viewer.scenario.playlists import Playlist
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.user.last_session import LastSession
from viewer.user.settings import Settings
from viewer.workspace.files import Awaited, own_file
from viewer.workspace.workspace import Workspace

if TYPE_CHECKING:
    from viewer.replay.findings import Replay
    from viewer.replay.phone import Phone


@dataclass(frozen=True)
class Start:
    """What a window begins with.

    `name`: of the preset or file that `scenario` comes from. `size`: of the window in pixels at scale 1; None: the last
    one. `settings`: what is remembered between runs; by default nothing. `exit_after_frames`: the run ends by
    itself, as nobody watches it. `last_session`: how the last window closed, of which `scenario` is the scene. `guest`:
    the user has not asked for `scenario`, which does not take the place of the last session where it is closed without
    a change. `recording`: as a Session takes it; `awaited`: what is read, once the window is there, to go beside
    `scenario`. `ask_columns_of`: a recording that is opened with the question what its columns are. `tour`, `playlist`:
    a guided tour or a lecture to begin with. `first`: it is the very first start, with a caption over the scene until
    the user takes over. `phone`: one that is followed in `scenario`, a `live_scene`.
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
    ask_columns_of: str | None = None
    tour: str | None = None
    playlist: Playlist | None = None
    first: bool = False
    phone: "Phone | None" = None

    @property
    def watched(self) -> bool:
        """Whether a user watches the window."""
        return self.exit_after_frames is None


def workspace_of(start: Start, clock: Callable[[], float], animation_clock: Callable[[], float]) -> Workspace:
    """Return the workspace of a window that begins so; the clocks are as a Workspace has them."""
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
    workspace.files.awaited = start.awaited
    return workspace


def begin(workspace: Workspace, start: Start) -> None:
    """Report what there is to say of the beginning, and go on with what the window begins with."""
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
    if start.ask_columns_of is not None:
        open_named(workspace, start.ask_columns_of)
