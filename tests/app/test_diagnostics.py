"""`poinsot doctor` tells what there is, and what is broken, and never breaks itself."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from helpers.processes import environment

from viewer.app import diagnostics
from viewer.cli.about import lines
from viewer.scenario.choices.stereo_modes import STEREO_MODES


def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "viewer", "doctor", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment(False, **more))


def test_without_a_display_all_but_the_window_is_looked_at():
    done = run("--json")
    assert done.returncode == 0, done
    facts = json.loads(done.stdout)
    assert facts["ok"]
    assert facts["display"]["available"] is False
    assert "no display" in facts["display"]["why"]
    assert facts["picture"]["right"]
    assert facts["graphics"]["limits"]["texture_size"] >= 4096
    assert facts["packages"]["numpy"] == np.__version__
    assert facts["folders"]["config"]["path"].startswith(os.environ["POINSOT_HOME"])
    assert set(facts["stereo"]) == set(STEREO_MODES)
    assert "error" not in json.dumps(facts)


def test_a_display_that_refuses_is_told_and_the_status_is_1():
    done = run(DISPLAY=":987")
    assert done.returncode == 1, done
    assert "no window can be opened" in done.stdout
    assert done.stdout.endswith("the test picture is correct; there are problems\n")
    assert not done.stderr


def test_a_part_that_fails_says_why_and_the_others_stand(gl, monkeypatch):
    def broken():
        raise OSError("no\nmore")

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(diagnostics, "_folders", broken)
    facts = diagnostics.examine()
    assert facts["folders"] == {"error": "OSError: no more"}
    assert facts["picture"]["right"]
    assert any("OSError: no more" in line for line in lines(facts))


@pytest.mark.parametrize("value", [0, 255])
def test_a_picture_without_its_colours_is_wrong(gl, monkeypatch, value):
    plain = np.full((*diagnostics.PICTURE[::-1], 3), value, np.uint8)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr("viewer.export.offscreen.render_image", lambda *_: plain)
    facts = diagnostics.examine()
    assert not facts["picture"]["right"]
    assert not facts["ok"]
    assert lines(facts)[-1] == "the test picture is wrong; there are problems"
