"""The scripts `run` and `.ci/run`: sound, executable, and naming the packages that the program names."""

import os
import re
import subprocess
from pathlib import Path

import pytest

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
