"""Files are written whole or not at all, whatever happens on the way."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from helpers.processes import environment

from viewer.common import locks, part_file
from viewer.common.errors import InputError
from viewer.common.output_files import NewFile, WholeFile, numbered
from viewer.common.part_file import PART, WriteError

SYSTEMS = ("unnamed", "unnamed, without links", "named", "named, without links")


@pytest.fixture(params=SYSTEMS, autouse=True)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """File systems with files that have no name, or without; with links, or without."""
    kind = str(request.param)
    if kind.startswith("named"):
        monkeypatch.setattr(part_file, "_unnamed", lambda folder, mode: None)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no unnamed files")
    if kind.endswith("without links"):

        def refuse(*_args: object, **_more: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    return kind


def write(path: Path, text: str) -> None:
    with WholeFile(path) as file:
        file.write(text.encode())


def test_writes_and_replaces(tmp_path: Path, system: str) -> None:
    target = tmp_path / "a.txt"
    for text in ("one", "two"):
        with WholeFile(target) as file:
            file.write(text.encode())
            hidden = [name for name in os.listdir(tmp_path) if name != "a.txt"]
            assert [name.endswith(PART) for name in hidden] == [True] * system.startswith("named")
        assert target.read_text() == text
    assert os.listdir(tmp_path) == ["a.txt"]


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail_half_way() -> None:
        with WholeFile(target) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_what_is_not_complete_stands_beside_the_old_file(tmp_path: Path) -> None:
    link, names = tmp_path / "link.csv", ("a.part.txt", "a.part2.txt", "a.part3.txt")
    (tmp_path / "a.txt").write_text("old")
    link.symlink_to("a.txt")
    (tmp_path / names[0]).symlink_to("nowhere")  # it is somebody's
    for path, name in zip((tmp_path / "a.txt", link), names[1:], strict=True):
        target = WholeFile(path)
        with target as file:
            file.write(name.encode())
            target.complete = False
        assert target.path == tmp_path / name
        assert target.path.read_text() == name
    assert (tmp_path / "a.txt").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == sorted(("a.txt", "link.csv", *names))


def test_a_private_file_is_the_users_alone(tmp_path: Path) -> None:
    for before in (None, 0o644, 0o600):
        path = tmp_path / f"{before}"
        if before is not None:
            path.write_text("old")
            path.chmod(before)
        with WholeFile(path, private=True) as file:
            file.write(b"new")
        assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (0o600, "new")


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o646)  # more than a umask allows
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o646


def test_a_new_file_has_the_permissions_that_the_user_wants_and_the_umask_is_never_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", None)  # it is the whole process's: other threads make files meanwhile
            write(tmp_path / "a.txt", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/a.txt", "cannot be written: No such file"), ("", "is a folder"), ("x" * 300, "too long")],
)
def test_what_the_system_refuses_is_one_line(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught, WholeFile(tmp_path / name):
        pass
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_only_what_the_file_itself_meets_is_told_of_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), WholeFile(tmp_path / "a.txt"):
        (tmp_path / "another.txt").read_bytes()
    with pytest.raises(OSError, match="No space") as caught, part_file._Raw("/dev/full", "w") as full:
        full.write(b"more")
    assert isinstance(caught.value, WriteError)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.txt", "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"a\.txt: cannot be written: No space left on device"):
        write(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no descriptors of folders")
def test_the_name_is_on_the_disk_as_well_once_the_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[list[str]] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            assert os.path.samestat(os.fstat(descriptor), tmp_path.stat())
            synced.append(sorted(name for name in os.listdir(tmp_path) if not name.startswith(".")))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    write(tmp_path / "a.txt", "old")
    write(tmp_path / "a.txt", "new")
    with NewFile(tmp_path, numbered("film ", ".mkv")) as file:
        file.write(b"film")
    assert synced == [["a.txt"], ["a.txt"], ["a.txt", "film 1.mkv"]]


@pytest.mark.parametrize(("number", "said"), [(errno.EIO, "Input/output error"), (errno.EINVAL, None)])
def test_a_folder_that_cannot_be_synced_is_told_but_where_its_file_system_never_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str | None
) -> None:
    sync = os.fsync

    def failing(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", failing)
    if said is None:
        write(tmp_path / "a.txt", "new")
    else:
        with pytest.raises(InputError, match=rf"a\.txt: cannot be written: {said}"):
            write(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_two_that_write_new_files_at_once_lose_nothing(tmp_path: Path) -> None:
    one, two = (NewFile(tmp_path, numbered("film ", ".mkv")) for _ in range(2))
    assert one.path == two.path == tmp_path / "film 1.mkv"
    with one as first, two as second:
        first.write(b"first")
        second.write(b"second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "film 1.mkv": b"second",
        "film 2.mkv": b"first",
    }
    assert (one.path.name, two.path.name) == ("film 2.mkv", "film 1.mkv")


def test_many_threads_get_a_name_each(tmp_path: Path) -> None:
    def one(number: int) -> None:
        with NewFile(tmp_path, numbered("a", "")) as file:
            file.write(str(number).encode())

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_text() for path in tmp_path.iterdir()} == set("01234567")


def test_a_new_file_takes_no_place_and_a_failed_one_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a1").symlink_to(tmp_path / "nowhere")  # it dangles, but it is somebody's
    new = NewFile(tmp_path, numbered("a", ""))

    def fail() -> None:
        with new as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert os.listdir(tmp_path) == ["a1"]
    with pytest.raises(InputError, match="cannot be written"), NewFile(tmp_path / "none", numbered("a", "")):
        pass
    with pytest.raises(InputError, match="files with this name"):
        NewFile(tmp_path, iter(["a1"]))


KILLED = """
import os, signal, sys
from pathlib import Path
from viewer.common import output_files, part_file
if sys.argv[1] == "named":
    part_file._unnamed = lambda folder, mode: None
with output_files.WholeFile(sys.argv[2]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_what_a_killed_process_leaves_goes_with_the_next_file(tmp_path: Path, system: str) -> None:
    (tmp_path / "a.txt").write_text("old")
    words = [sys.executable, "-c", KILLED, system.partition(",")[0], str(tmp_path / "a.txt")]
    assert subprocess.run(words, env=environment(), check=False).returncode == -signal.SIGKILL
    assert (tmp_path / "a.txt").read_text() == "old"
    assert len(os.listdir(tmp_path)) == 1 + system.startswith("named")
    with WholeFile(tmp_path / "b.txt") as open_one:  # which nobody clears away
        open_one.write(b"new")
        write(tmp_path / "c.txt", "another")
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt", "c.txt"]
    assert (tmp_path / "b.txt").read_text() == "new"


def test_a_lock_is_held_by_one_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    path.touch()  # left behind by a program that was killed
    with locks.exclusive(path, 0.0):
        assert locks.acquire(path) is None
        with pytest.raises(TimeoutError), locks.exclusive(path, 0.02):
            pass
    assert not path.exists()
