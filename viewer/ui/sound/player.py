"""Plays what is synthesised through pyglet's audio; imported when sound is first switched on."""

import threading
import time
from typing import Any

import numpy as np
import pyglet.media
from pyglet.media.codecs.base import AudioData, AudioFormat, StreamingSource
from pyglet.media.drivers import get_audio_driver
from pyglet.media.drivers.base import AbstractAudioPlayer
from pyglet.media.drivers.silent.adaptation import SilentDriver
from pyglet.media.player_worker_thread import PlayerWorkerThread

from viewer.ui.sound.tone import RATE, Heard, Synthesiser

BUFFER = 0.12  # s that the driver holds ready: so much later than the picture it is heard
BLOCK = 1024  # frames at most between two looks at what is to be heard
FRAME_BYTES = 4  # two channels of 16 bits
FORGOTTEN = 0.5  # s without a word from the window: silence


class NoAudio(Exception):
    """There is no audio device."""


class Stream(StreamingSource):  # type: ignore[misc]
    """An endless source; `told` may be called from another thread than that of the audio."""

    def __init__(self) -> None:
        self.audio_format = AudioFormat(channels=2, sample_size=16, sample_rate=RATE)
        self._synthesiser = Synthesiser()
        self._wanted, self._when = Heard(), 0.0
        self._made = 0  # frames so far

    def told(self, wanted: Heard) -> None:
        """What is to be heard from now on."""
        self._wanted, self._when = wanted, time.monotonic()

    def get_audio_data(self, num_bytes: int, compensation_time: float = 0.0) -> Any:
        """The next samples, of at most so many bytes."""
        frames, wanted = max(1, min(num_bytes // FRAME_BYTES, BLOCK)), self._wanted
        if time.monotonic() - self._when > FORGOTTEN:
            wanted = Heard(wanted.frequency, wanted.pan, 0.0, wanted.flips)
        samples = np.clip(self._synthesiser.block(wanted, frames), -1.0, 1.0)
        data = (samples * 32767.0).astype("<i2").tobytes()
        start = self._made / RATE
        self._made += frames
        return AudioData(data, len(data), start, frames / RATE, [])


class Player:
    """A stream that plays from now on. Raises NoAudio where nothing can play it."""

    def __init__(self) -> None:
        driver = get_audio_driver()
        if driver is None or isinstance(driver, SilentDriver):
            for thread in threading.enumerate():  # that pyglet's drivers have begun, also those that failed
                if isinstance(thread, PlayerWorkerThread):
                    thread.stop()
            raise NoAudio
        AbstractAudioPlayer.audio_buffer_length = BUFFER
        self.stream = Stream()
        self._player = pyglet.media.Player()
        self._player.queue(self.stream)
        self._player.play()

    def close(self) -> None:
        """Ends it."""
        self._player.pause()
        self._player.delete()
