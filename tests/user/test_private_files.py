"""What the program keeps between runs may be read by its user alone."""

import errno
import os
import shutil
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from viewer.common import folders, locks
from viewer.common.errors import InputError
from viewer.export.writer import Writer
from viewer.replay import scene as replay_scene
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.user import autosave, last_session, log
from viewer.user.settings import Settings


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path / "home"))


def write_everything() -> None:
    settings = Settings.of_user()
    settings.change("panel.width", 400.0 if not settings.has("panel.width") else 410.0)
    assert settings.save() is None
    assert last_session.save(last_session.LastSession(Scenario()), Scenario()) is None
    assert replay_scene.remember_columns("t,x", "t=1")
    log.write("notice", "a line")
    kept = autosave.Autosave()
    assert kept.keep(Scenario())
    shutil.copy(kept.path.with_suffix(".lock"), folders.state() / "a.lock")  # as it was while the window was open
    assert kept.close(Scenario()) is None


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as POSIX has them")
def test_files_are_0600_in_folders_of_0700(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        for _ in range(2):  # new ones, and then those of an earlier version
            write_everything()
            modes = {path: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("home/**/*")}
            assert {path.suffix for path in modes if path.is_file()} == {".toml", ".json", ".log", ".lock"}
            wanted = {path: 0o700 if path.is_dir() else 0o600 for path in modes}
            assert modes == wanted
            for path in modes:
                if path.is_dir() or path.suffix == ".json" or path.parent.name == "config":
                    path.chmod(0o755 if path.is_dir() else 0o644)
    finally:
        os.umask(before)


def test_a_lock_without_a_scene_goes_at_the_next_start() -> None:
    folders.make_private(autosave.folder())
    orphan, held, kept = (autosave.folder() / f"{name}.lock" for name in ("orphan", "held", "kept"))
    orphan.touch()
    kept.touch()
    Scenario().save(kept.with_suffix(".toml"))
    lock = locks.acquire(held)  # of a window that has nothing unsaved
    assert lock is not None
    assert [left.path.stem for left in autosave.left_behind()] == ["kept"]
    assert sorted(os.listdir(autosave.folder())) == ["held.lock", "kept.lock", "kept.toml"]
    locks.release(lock, held)


def test_a_folder_that_a_full_disk_does_not_take_is_told_as_that(tmp_path: Path, monkeypatch: Any) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "mkdir", full)
    session = Session(Scenario())
    writer = Writer(None, session, None, None, None, None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"pictures: cannot be made: No space left on device$"):
        writer.unused(film=False)
