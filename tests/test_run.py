"""The scripts `run` and `.ci/run`: sound, executable, naming the packages that the program names, and the versions."""

import json
import os
import re
import subprocess
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from viewer.common.errors import PACKAGES

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", ["run", ".ci/run"])
def test_scripts_are_sound(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    done = subprocess.run(["bash", "-n", ROOT / name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_packages_installed_are_those_that_the_program_names() -> None:
    (entries,) = re.findall(r"^library_packages=\((.*)\)$", (ROOT / "run").read_text(), re.MULTILINE)
    named = PACKAGES.split("install ")[1].split()
    assert [entry.split(":")[1] for entry in entries.split()] == named


def test_run_installs_one_version_of_everything_that_the_project_needs() -> None:
    """Name and version only, each within the bounds of pyproject.toml: no address, no path."""
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned: dict[str, str] = {}
    for line in lines:
        if not line.startswith("#"):
            found = re.fullmatch(r"([a-z0-9-]+)==([0-9.]+(?:post\d+)?)( ; [^;]+)?", line)
            assert found, line
            assert found[1] not in pinned, line
            pinned[found[1]] = found[2]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = chain(project["dependencies"], *project["optional-dependencies"].values())
    needed = [wanted for wanted in map(Requirement, named) if wanted.name != project["name"]]
    assert len(needed) > 20
    assert [str(wanted) for wanted in needed if pinned.get(wanted.name) not in wanted.specifier] == []


def test_npm_packages_have_one_version() -> None:
    folder = ROOT / "tests" / "browser"
    named = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert named == {name: locked[f"node_modules/{name}"]["version"] for name in named}
    assert all(entry["integrity"].startswith("sha512-") for place, entry in locked.items() if place)
