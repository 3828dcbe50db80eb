"""No broken film, whatever happens: interrupts, full disks, an encoder that fails."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.films import pictures
from helpers.processes import environment, heed_interrupts, on_small_disk, output, written

from viewer.export import film


def render(folder: Path, *words: str, **more: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "viewer", "render", "rod", "--size", "320x192", "--samples", "1", *words]
    return subprocess.Popen(command, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.sweep(".mp4")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_an_interrupted_film_is_playable_and_says_so(tmp_path: Path, suffix: str) -> None:
    process = render(tmp_path, "--seconds", "3000", "-o", f"a{suffix}", preexec_fn=heed_interrupts)
    try:
        written(process.pid, tmp_path, film.ROOM + film.ROOM_FRAMES * 3 * 320 * 192 + 20_000)
        for _ in range(50):  # impatient: Ctrl-C again and again within .1 s, and while the film is ended
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        _, said = output(process)
    finally:
        process.kill()  # a film of 3000 s would go on for hours where the test fails or is interrupted
    assert process.returncode == 130
    assert os.listdir(tmp_path) == [f"a.part{suffix}"]
    found = len(pictures(tmp_path / f"a.part{suffix}"))
    last = said.splitlines()[-1]  # a slow machine tells of its progress before
    assert last.startswith(f"poinsot: interrupted; a.part{suffix} holds the first {found} of ")
    assert found >= 1


@pytest.mark.sweep(".gif")
@pytest.mark.skipif(sys.platform == "win32", reason="limits as POSIX has them")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_a_full_disk_is_one_line_and_no_file(tmp_path: Path, suffix: str) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    process = render(tmp_path, "--seconds", "20", "-o", f"a{suffix}", preexec_fn=limit)
    _, said = output(process)
    assert process.returncode == 2
    assert said == f"poinsot: a{suffix}: cannot be written: File too large\n"
    assert os.listdir(tmp_path) == []


@pytest.mark.sweep(".mkv")
@pytest.mark.skipif(sys.platform != "linux", reason="a small disk as Linux has it")
@pytest.mark.parametrize("suffix", film.FORMATS)
def test_the_pictures_that_a_full_disk_takes_are_kept(tmp_path: Path, suffix: str) -> None:
    """A disk of 3 MB in memory, of which 2 are kept free."""
    words = f"render dzhanibekov --size 320x240 --samples 1 --speed 10 --seconds 60 -o a{suffix}"
    done = on_small_disk(tmp_path, 3, words, f"a.part{suffix}")
    found = len(pictures(tmp_path / f"a.part{suffix}"))
    told = done.stderr.splitlines()[-1]
    assert f"cannot be written: No space left on device; a.part{suffix} holds the first {found} of" in told
    assert found >= 5


def test_the_recorder_raises_what_its_thread_meets(tmp_path: Path) -> None:
    class Broken:
        def add(self, image: Any) -> None:
            raise OSError(28, "No space left on device")

        def finish(self) -> None:
            raise AssertionError

    with (tmp_path / "a").open("wb") as file:
        recorder = film.Recorder(file, lambda first: Broken())

        def feed() -> None:
            for _ in range(10):
                recorder.add(np.zeros((2, 2, 3), dtype=np.uint8))

        with pytest.raises(OSError, match="No space left"):
            feed()
        recorder.stop()
