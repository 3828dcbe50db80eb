import json

import numpy as np
import pytest

from viewer import cli
from viewer.export.console import json_text


def refuse(name: str) -> float:
    raise AssertionError(f"{name} is not JSON")


def test_numbers_that_json_does_not_have_are_null() -> None:
    data = {"a": [0.1, float("nan")], "b": (float("inf"),), "c": {"d": -float("inf"), "e": None, "f": True}}
    expected = {"a": [0.1, None], "b": [None], "c": {"d": None, "e": None, "f": True}}
    assert json.loads(json_text(data), parse_constant=refuse) == expected


def test_a_recording_that_fits_no_solid_is_reported_in_valid_json(
    capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    time = 0.01 * np.arange(40)
    rows = np.stack((time, 0.0 * time, np.cos(time), np.sin(time)), axis=1)  # no free body turns like this
    np.savetxt("a.csv", rows, delimiter=",", header="t,wx,wy,wz", comments="")
    assert cli.main("replay a.csv --moments 1,2,2.5 --json".split()) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert found["misfit"] is None
    assert found["moments"] == [1.0, 2.0, 2.5]
