"""Sound, off by default: a tone whose pitch follows |omega|, and a click at each flip.

The tone comes from the side to which omega points in the picture. Successive blocks of samples join without a jump in
phase, loudness or side.
"""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.session.session import Session
from viewer.session.snapshot import Snapshot
from viewer.ui.view.scene_view import SceneView
from viewer.user.settings import Settings
from viewer.workspace.messages import Messages

if TYPE_CHECKING:
    from viewer.ui.audio_player import Player

SETTING = "sound.on"
RATE = 44_100  # samples a second
FORGOTTEN = 0.5  # s after the window's last frame at which the tone ends
HERTZ_PER_RATE = 55.0  # Hz for each rad/s: a body that turns twice as fast sounds an octave higher
LOWEST, HIGHEST = 40.0, 4000.0  # Hz
GAIN = 0.2  # amplitude of the tone as a fraction of full scale
SIDE = 2.0  # pan per sine of the angle by which omega points to a side: at 30 degrees that side alone is heard
CLICK_GAIN, CLICK_HERTZ, CLICK_SECONDS = 0.5, 1800.0, 0.004  # a burst that falls to 1/e in CLICK_SECONDS
CLICK_LENGTH = 8.0  # times CLICK_SECONDS, after which a click ends

Array = NDArray[np.float64]


@frozen
class Heard:
    """What is to be heard: `frequency` [Hz], `pan` -1 (left)..1 (right), `gain` 0..1, number of `flips` so far."""

    frequency: float = LOWEST
    pan: float = 0.0
    gain: float = 0.0
    flips: int = 0


def heard(snapshot: Snapshot, right: Array, moving: bool, before: Snapshot | None, last: Heard) -> Heard:
    """Return what a snapshot sounds like; a body that does not move is silent.

    `right` is the unit vector (3,) in space that points to the right in the picture; `before` is the previous snapshot,
    or None, and `last` what it sounded like.
    """
    omega = snapshot.reading.omega_world
    speed = float(np.linalg.norm(omega))
    if not moving or snapshot.reading.at_rest or not np.isfinite(speed):
        return Heard(last.frequency, last.pan, 0.0, last.flips)
    frequency = min(max(HERTZ_PER_RATE * speed, LOWEST), HIGHEST)
    pan = min(max(SIDE * float(omega @ right) / speed, -1.0), 1.0)
    flipped = before is not None and _flipped(before, snapshot)
    return Heard(frequency, pan, GAIN, last.flips + flipped)


def _flipped(before: Snapshot, snapshot: Snapshot) -> bool:
    """Return whether the component of omega about the axis of the middle moment has changed its sign."""
    moments = snapshot.body.principal_moments
    if before.body is not snapshot.body or len(set(moments.tolist())) < 3:
        return False
    middle = int(np.argsort(moments)[1])
    return float(before.reading.omega_body[middle]) * float(snapshot.reading.omega_body[middle]) < 0.0


class Synthesiser:
    """Makes samples, block after block."""

    def __init__(self) -> None:
        self._phase = 0.0  # rad, of the tone
        self._now = Heard()  # at the end of the last block
        self._click_age: float | None = None  # s since the beginning of a click that can still be heard

    def block(self, wanted: Heard, frames: int) -> Array:
        """Return the next samples (frames, 2), left and right, in -1..1; the tone glides to `wanted`."""
        now, fraction = self._now, np.arange(1, frames + 1) / frames
        frequency = now.frequency * (wanted.frequency / now.frequency) ** fraction
        if now.gain == 0.0:  # silent up to now: the tone sets in at its own pitch
            frequency = np.full(frames, wanted.frequency)
        gain = now.gain + (wanted.gain - now.gain) * fraction
        angle = 0.25 * np.pi * (1.0 + now.pan + (wanted.pan - now.pan) * fraction)
        phase = self._phase + np.cumsum(2.0 * np.pi / RATE * frequency)
        tone = gain * np.sin(phase) + self._click(wanted.flips > now.flips, frames)
        self._phase, self._now = float(phase[-1] % (2.0 * np.pi)), wanted
        return np.stack([np.cos(angle) * tone, np.sin(angle) * tone], axis=1)

    def _click(self, begins: bool, frames: int) -> Array:
        """Return the part of a click that falls into this block."""
        if begins:
            self._click_age = 0.0
        if self._click_age is None:
            return np.zeros(frames)
        age = self._click_age + np.arange(frames) / RATE
        self._click_age = float(age[-1]) + 1.0 / RATE
        if self._click_age > CLICK_LENGTH * CLICK_SECONDS:
            self._click_age = None
        return np.asarray(CLICK_GAIN * np.exp(-age / CLICK_SECONDS) * np.sin(2.0 * np.pi * CLICK_HERTZ * age))


class Voice:
    """Makes the samples of what is to be heard now; pyglet's audio thread asks for them."""

    def __init__(self) -> None:
        self._synthesiser = Synthesiser()
        self._wanted, self._when = Heard(), 0.0

    def set(self, wanted: Heard) -> None:
        """Set what is to be heard from now on."""
        self._wanted, self._when = wanted, time.monotonic()

    def samples(self, frames: int) -> Array:
        """Return the next samples (frames, 2); they fade to silence if the window has set nothing for FORGOTTEN s."""
        forgotten = time.monotonic() - self._when > FORGOTTEN
        return self._synthesiser.block(replace(self._wanted, gain=0.0) if forgotten else self._wanted, frames)


class Sound:
    """The sound of one window. If nothing can play it, a message says so, and it remains off."""

    def __init__(self, session: Session, scene_view: SceneView, settings: Settings, messages: Messages) -> None:
        self._session, self._scene_view, self._settings, self._messages = session, scene_view, settings, messages
        self._player: Player | None = None
        self._voice = Voice()
        self._before: Snapshot | None = None
        self._last = Heard()
        self._wanted = bool(settings.value(SETTING))  # switched on in an earlier run

    @property
    def on(self) -> bool:
        """Whether the sound is on."""
        return self._player is not None

    def toggle(self) -> None:
        """Switch the sound on or off, and keep the choice in the settings."""
        if self.on:
            self.close()
            self._messages.notice(tr("Sound is off"))
        elif self._start():
            self._messages.notice(tr("Sound is on: the pitch follows |ω|, a click marks each flip"))
        self._settings.change(SETTING, self.on)

    def _start(self) -> bool:
        """Switch the sound on; return whether that succeeded. If not, a message says why."""
        from viewer.ui.audio_player import NoAudio, Player  # here: it takes a fifth of a second

        try:
            self._player = Player(self._voice.samples, RATE)
        except NoAudio:
            self._messages.error(tr("Sound: no audio device was found"))
        except Exception as error:  # whatever a driver raises
            self._messages.error(tr("Sound: the audio device cannot be used: {error}").format(error=error))
        return self.on

    def follow(self) -> None:
        """Let the sound follow the frame that was drawn."""
        if self._wanted:
            self._wanted = False
            self._start()
        frame = self._scene_view.frame
        if self._player is None or frame is None:
            return
        snapshot, moving = self._session.snapshot(), self._session.playback.moving
        self._last = heard(snapshot, frame.main.camera.right, moving, self._before, self._last)
        self._before = snapshot
        self._voice.set(self._last)

    def close(self) -> None:
        """Stop playing."""
        if self._player is not None:
            self._player.close()
        self._player, self._before = None, None
        self._voice, self._last = Voice(), Heard()
