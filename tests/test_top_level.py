"""Nothing lies at the top of the project but what belongs there."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELONGS = {
    ".ci", ".gitignore", "LICENSE", "README.md", "assets", "pyproject.toml", "run", "shaders", "tests", "viewer",
}  # fmt: skip


def test_the_top_level_holds_what_belongs_there_and_nothing_else() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: other files may lie here")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {name.split("/")[0] for name in listed.stdout.split("\0") if name} == BELONGS


def test_each_test_file_has_a_name_of_its_own() -> None:
    """pytest imports them by it."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
