"""A disk that fails: the old file stays, one line names the file, and a part stands beside it if the line says so."""

import errno
import io
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer import cli
from viewer.common import part_file

RENDER = "render rod --set view.material=paint --size 64x64 --samples 1"  # wood is not encoded alike each time
SHEET = "contact-sheet --presets rod --views space --themes light --modes mono --size 64x64 --reduce 1"
WRITERS = [
    *(f"simulate rod --seconds 2 -o a{suffix}" for suffix in (".csv", ".npz", ".parquet")),
    *(f"{RENDER} -o a{suffix}" for suffix in (".png", ".jpg", ".jps", ".mpo", ".gif")),
    *(f"{RENDER} --seconds .2 -o a{suffix}" for suffix in (".gif", ".mkv", ".mp4")),
    *(f"race dzhanibekov --periods 1 --integrators split -o a{suffix}" for suffix in (".csv", ".html", ".png")),
    f"{SHEET} -o a.png",
    "stereo-chart --size 64x64 -o a.png",
]
FAILURES = ("EIO", "ENOSPC")
TRIED = (1, 2, 3, 7)  # which write fails


class Failing(io.FileIO):
    """A file of which one write fails, or `lasting` all from that on; the writes are counted over all files."""

    count, fails, number, lasting = 0, 0, errno.EIO, False

    def write(self, data: object, /) -> int:
        Failing.count += 1
        if Failing.count == Failing.fails or (Failing.lasting and Failing.count > Failing.fails > 0):
            raise OSError(Failing.number, os.strerror(Failing.number))
        return super().write(data)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Failing.count = Failing.fails = 0
    part_file._Raw.__bases__ = (Failing,)
    yield
    part_file._Raw.__bases__ = (io.FileIO,)


@pytest.mark.sweep(most=4)
@pytest.mark.parametrize("words", WRITERS)
def test_a_write_that_fails_leaves_the_old_file(gl, words, capfd) -> None:
    for package, suffix in (("av", ".m"), ("pyarrow", ".parquet"), ("matplotlib", ".html")):
        if suffix in words:
            pytest.importorskip(package)
    target = Path(words.split()[-1])
    assert cli.main(words.split()) == 0
    size, writes = target.stat().st_size, Failing.count
    assert writes >= 1
    parts: set[str] = set()
    capfd.readouterr()
    for name, Failing.lasting in itertools.product(FAILURES, (False, True)):
        for fails in [number for number in TRIED if number <= writes]:
            target.write_bytes(b"old")
            Failing.count, Failing.fails, Failing.number = 0, fails, getattr(errno, name)
            status = cli.main(words.split())
            said = capfd.readouterr().err
            new = set(os.listdir()) - parts - {target.name}
            if status == 0:  # there was room for the rest
                assert (name, Failing.lasting, said, new) == ("ENOSPC", False, "", set())
                assert target.stat().st_size == size
                continue
            assert status == 2
            assert target.read_bytes() == b"old"
            assert said.startswith(f"poinsot: {target}: cannot be written: {os.strerror(Failing.number)}")
            assert said.count("\n") == 1
            assert all(f"; {part} holds the first " in said for part in new)
            assert len(new) == said.count("holds the first ") <= (name == "ENOSPC")
            parts |= new


def test_a_film_that_would_end_too_late_is_refused_before_anything_is_written(capfd) -> None:
    Path("a.gif").write_bytes(b"old")
    assert cli.main(f"{RENDER} --seconds .8 --speed 1e8 -o a.gif".split()) == 2
    assert capfd.readouterr().err == (
        "poinsot: time: 7.6e7 s is outside 0 to 1e6 s\n"  # of 20 pictures in .8 s
    )
    assert (Failing.count, Path("a.gif").read_bytes(), os.listdir()) == (0, b"old", ["a.gif"])
