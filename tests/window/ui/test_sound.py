"""Sound in a real window: off by default, one message where nothing can play it, no thread left behind."""

import sys
import threading

import numpy as np

import viewer.ui
from viewer.ui import sound


def test_without_a_device_one_message_says_so_and_no_thread_is_left(desktop, monkeypatch):
    import pyglet

    monkeypatch.delitem(sys.modules, "viewer.ui.audio_player", raising=False)  # as another test has left it
    monkeypatch.delattr(viewer.ui, "audio_player", raising=False)
    monkeypatch.setitem(pyglet.options, "audio", ("silent",))  # if the machine that tests this has a device
    shown = desktop("dzhanibekov")
    assert not shown.app.workspace.settings.value("sound.on")
    assert "viewer.ui.audio_player" not in sys.modules
    before = set(threading.enumerate())
    for _ in range(2):
        shown.key("ctrl+m")
        assert shown.message == "Sound: no audio device was found"
        assert not shown.app.ui.sound.on
        assert not shown.app.workspace.settings.value("sound.on")
        assert not set(threading.enumerate()) - before


def test_it_follows_the_motion_and_is_closed_with_the_window(desktop, monkeypatch):
    from viewer.ui import audio_player

    made = []

    class Recorder:
        def __init__(self, samples, rate):
            self.heard, self.closed = [], False
            made.append(self)

        def close(self):
            self.closed = True

    monkeypatch.setattr(audio_player, "Player", Recorder)
    monkeypatch.setattr(sound.Voice, "set", lambda _, wanted: made[-1].heard.append(wanted))
    shown = desktop("dzhanibekov", playing=True)
    shown.key("ctrl+m")
    assert shown.app.ui.sound.on
    assert shown.app.workspace.settings.value("sound.on")
    recorder = made[0]
    shown.until(lambda: recorder.heard and recorder.heard[-1].gain > 0.0)
    speed = float(np.linalg.norm(shown.session.snapshot().reading.omega_body))
    assert abs(recorder.heard[-1].frequency / (55.0 * speed) - 1.0) < 0.05
    shown.session.playback.pause()
    shown.settle()
    assert recorder.heard[-1].gain == 0.0
    told = len(recorder.heard)
    shown.key("ctrl+m")
    assert recorder.closed
    shown.turn()
    assert len(recorder.heard) <= told + 1
    shown.key("ctrl+m")
    shown.app.ui.sound.close()
    assert made[1].closed


def test_the_stream_gives_whole_frames_and_falls_silent_when_it_is_forgotten(desktop, monkeypatch):
    from viewer.ui.audio_player import Stream

    voice = sound.Voice()
    stream = Stream(voice.samples, sound.RATE)
    voice.set(sound.Heard(440.0, 0.0, 0.2))
    first, second = stream.get_audio_data(10_001), stream.get_audio_data(100)
    assert (first.length, second.length) == (4096, 100)
    assert second.timestamp == first.timestamp + first.duration
    samples = np.frombuffer(first.data + second.data, "<i2").reshape(-1, 2)
    assert 0 < np.max(np.abs(samples)) < 0.2 * 32768
    monkeypatch.setattr(sound, "FORGOTTEN", -1.0)
    stream.get_audio_data(4096)
    assert np.max(np.abs(np.frombuffer(stream.get_audio_data(4096).data, "<i2"))) == 0
