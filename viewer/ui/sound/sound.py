"""Sound, off by default: what it is made of follows the motion from frame to frame; while it is off nothing is done."""

from typing import TYPE_CHECKING

from viewer.common.language import tr
from viewer.session.session import Session
from viewer.ui.view.scene_view import SceneView
from viewer.user.settings import Settings
from viewer.workspace.messages import Messages

if TYPE_CHECKING:
    from viewer.session.snapshot import Snapshot
    from viewer.ui.sound.player import Player
    from viewer.ui.sound.tone import Heard

SETTING = "sound.on"


class Sound:
    """Of one window. Where nothing can play it, one message says so, and it stays off."""

    def __init__(self, session: Session, scene_view: SceneView, settings: Settings, messages: Messages) -> None:
        self._session, self._scene_view, self._settings, self._messages = session, scene_view, settings, messages
        self._player: Player | None = None
        self._before: Snapshot | None = None
        self._last: Heard | None = None
        self._wanted = bool(settings.value(SETTING))  # switched on in an earlier run

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self._player is not None

    def toggle(self) -> None:
        """Switches it on or off; the settings keep that."""
        if self.on:
            self.close()
            self._messages.notice(tr("Sound is off"))
        elif self._start():
            self._messages.notice(tr("Sound is on: the pitch follows |ω|, a click marks each flip"))
        self._settings.change(SETTING, self.on)

    def _start(self) -> bool:
        """Whether it plays now; where not, a message says why."""
        from viewer.ui.sound.player import NoAudio, Player

        try:
            self._player = Player()
        except NoAudio:
            self._messages.error(tr("Sound: no audio device was found"))
        except Exception as error:  # whatever a driver raises
            self._messages.error(tr("Sound: the audio device cannot be used: {error}").format(error=error))
        return self.on

    def follow(self) -> None:
        """A frame was drawn: what is heard becomes that of its snapshot."""
        if self._wanted:
            self._wanted = False
            self._start()
        frame = self._scene_view.frame
        if self._player is None or frame is None:
            return
        from viewer.ui.sound.tone import Heard, heard

        snapshot, moving = self._session.snapshot(), self._session.playback.moving
        last = self._last or Heard()
        self._last = heard(snapshot, frame.main.camera.right, moving, self._before, last)
        self._before = snapshot
        self._player.stream.told(self._last)

    def close(self) -> None:
        """Ends it."""
        if self._player is not None:
            self._player.close()
        self._player = self._before = self._last = None
