"""Plays samples that the program makes through pyglet's audio; imported when sound is first switched on."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pyglet.media
from numpy.typing import NDArray
from pyglet.media.codecs.base import AudioData, AudioFormat, StreamingSource
from pyglet.media.drivers import get_audio_driver
from pyglet.media.drivers.base import AbstractAudioPlayer
from pyglet.media.drivers.silent.adaptation import SilentDriver
from pyglet.media.player_worker_thread import PlayerWorkerThread

BUFFER = 0.12  # s of sound that the driver holds ready, by which the sound is later than the picture
BLOCK = 1024  # the most frames that are made at once
FRAME_BYTES = 4  # two channels of 16 bits

Samples = Callable[[int], NDArray[np.float64]]
"""A function that returns the next samples for a number of frames: (frames, 2), left and right, in -1..1."""


class NoAudio(Exception):
    """There is no audio device."""


class Stream(StreamingSource):  # type: ignore[misc]
    """An endless source of samples; pyglet's audio thread asks for them."""

    def __init__(self, samples: Samples, rate: int) -> None:
        self.audio_format = AudioFormat(channels=2, sample_size=16, sample_rate=rate)
        self._samples, self._rate = samples, rate
        self._made = 0  # frames so far

    def get_audio_data(self, num_bytes: int, compensation_time: float = 0.0) -> Any:
        """Return the next samples, at most `num_bytes` of them."""
        frames = max(1, min(num_bytes // FRAME_BYTES, BLOCK))
        data = (np.clip(self._samples(frames), -1.0, 1.0) * 32767.0).astype("<i2").tobytes()
        start = self._made / self._rate
        self._made += frames
        return AudioData(data, len(data), start, frames / self._rate, [])


class Player:
    """Plays a stream of samples at `rate` frames a second. Raises NoAudio if there is no audio device."""

    def __init__(self, samples: Samples, rate: int) -> None:
        driver = get_audio_driver()
        if driver is None or isinstance(driver, SilentDriver):
            for thread in threading.enumerate():  # threads that pyglet's drivers have begun, even drivers that failed
                if isinstance(thread, PlayerWorkerThread):
                    thread.stop()
            raise NoAudio
        AbstractAudioPlayer.audio_buffer_length = BUFFER
        self._player = pyglet.media.Player()
        self._player.queue(Stream(samples, rate))
        self._player.play()

    def close(self) -> None:
        """End the stream."""
        self._player.pause()
        self._player.delete()
