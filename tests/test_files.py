"""Files are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from viewer.errors import SceneError
from viewer.files import whole_file


def test_writes_and_replaces(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    for text in ("one", "two"):
        with whole_file(target) as temporary:
            assert temporary.parent == tmp_path
            assert temporary.suffix == ".txt"
            temporary.write_text(text)
        assert target.read_text() == text
    assert os.listdir(tmp_path) == ["a.txt"]


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail_half_way() -> None:
        with whole_file(target) as temporary:
            temporary.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    with whole_file(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/a.txt", "cannot be written: No such file"), ("", "is a folder"), ("x" * 300, "too long")],
)
def test_what_the_system_refuses_is_one_line(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(SceneError, match=reason) as caught, whole_file(tmp_path / name):
        pass
    assert "\n" not in str(caught.value)
