"""What must not be lost: the scene that no file holds is kept while it runs, and offered again where a program ended by
itself."""

import contextlib
from dataclasses import replace
from math import inf

from viewer.common.errors import InputError
from viewer.common.language import tr
from viewer.export import console
from viewer.scenario.scenario import Scenario
from viewer.session.document import Recorded, named_in
from viewer.session.session import Session
from viewer.user import log
from viewer.user.autosave import Autosave, Leftover, left_behind
from viewer.user.settings import Settings
from viewer.workspace.lecture import Lecture
from viewer.workspace.messages import Messages

LATE_ENOUGH = 0.3  # s after the first picture, before anything is looked for on the disk


class Unsaved:
    """`left`: scenes that ended programs have left unsaved, to be offered; `offered`: one of them is, on the screen;
    `postponed`: until the next start. Without a user's settings (a test, a script) nothing is kept and nothing is
    offered.
    """

    def __init__(
        self, session: Session, messages: Messages, lecture: Lecture, settings: Settings, take_back: bool
    ) -> None:
        """`take_back`: the last window left the scene unsaved; what is kept of it then becomes this window's own."""
        self._session, self._messages, self._lecture, self._take_back = session, messages, lecture, take_back
        self._autosave = Autosave() if settings.kept else None
        self.offered = self.postponed = False
        self._named: tuple[Scenario, Recorded, Scenario] | None = None  # a scene, its recordings, and as it is written
        self._look_at: float | None = None  # when to look for what was left; inf: that is done
        self._reported: str | None = None  # why the scene is not kept
        self.left: list[Leftover] = []

    @property
    def scene(self) -> Scenario | None:
        """The user's scene, where no file holds it; it names the recordings that run beside it."""
        document = self._session.document
        if document.held:  # a phone in the hand: there is nothing to come back to
            return None
        scene = self._lecture.unsaved_scene
        if scene is None or scene is not document.scenario or document.recorded is None:
            return scene
        if self._named is None or self._named[0] is not scene or self._named[1] is not document.recorded:
            self._named = scene, document.recorded, named_in(scene, document.recorded)
        return self._named[2]

    def follow(self, now: float) -> bool:
        """Keep what is not saved, before every frame after the first; `now`: seconds on the clock. Return whether
        scenes were found that can be offered."""
        if self._autosave is None:
            return False
        self._autosave.follow(self.scene, now)
        if self._autosave.problem != self._reported:
            self._reported = self._autosave.problem
            if self._reported is not None:
                self._messages.error(self._reported)
        if self._look_at is None:
            self._look_at = now + LATE_ENOUGH
        if self._look_at is not None and now >= self._look_at:
            self._look_at = inf
            self.left = left_behind(self._messages.error)
            if self._take_back:
                self._adopt_own()
            return bool(self.left)
        return False

    def _adopt_own(self) -> None:
        """What was left of the very scene that is open is not offered: it is this window's own."""
        now = self.scene
        if now is None or self._autosave is None:
            return
        for left in self.left:
            with contextlib.suppress(InputError, OSError):
                before = Scenario.load(left.path)
                if replace(before, view=now.view, playback=now.playback) == now and self._autosave.adopt(left, now):
                    self.left.remove(left)
                    return

    def adopt(self, left: Leftover) -> None:
        """It was opened: it is unsaved as before, and its file is this window's own then."""
        self.left.remove(left)
        now, messages = self.scene, self._messages
        if self._autosave is None or now is None:
            return
        try:
            if not self._autosave.adopt(left, now):
                messages.error(tr("Another window has opened this scene, too: each keeps its own changes"))
        except OSError as error:  # the file stays, and is offered again
            text = tr("{file}: cannot be locked: {why}")
            messages.error(text.format(file=left.path, why=error.strerror or error))

    def discard(self, left: Leftover) -> None:
        """It is not wanted any more."""
        left.delete()
        self.left.remove(left)

    def keep(self) -> bool:
        """Writes what is not saved at once; False where there is nothing to keep, or nowhere."""
        scene = self.scene
        return self._autosave is not None and scene is not None and self._autosave.keep(scene)

    def wait(self, now: float) -> float | None:
        """Seconds until it wants to be called again."""
        if self._autosave is None:
            return None
        due = inf if self._look_at is None else self._look_at - now
        wait = self._autosave.wait(now)
        due = min(due, inf if wait is None else wait)
        return None if due == inf else max(0.0, due)

    def close(self) -> None:
        """The window closes."""
        if self._autosave is not None:
            problem = self._autosave.close(self.scene)
            if problem is not None:  # there is no window any more that could show it
                log.write("error", problem)
                console.report(problem)
