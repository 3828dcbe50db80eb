"""Up to 200 inputs for each reader of what others have written, and in the full run a thousand; more in
tests/benchmarks/fuzz.py."""

from pathlib import Path
from typing import Any

import pytest
from helpers.fuzzing import attempt
from helpers.hostile.targets import TARGETS
from hypothesis import HealthCheck, given, settings


@pytest.mark.parametrize("most", [200, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_unexpected_happens(name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target, taken = TARGETS[name], []
    count = max(round(most * target.share), 40)

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=True,  # the same inputs in every run; tests/benchmarks/fuzz.py tries others each time
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def everything(value: Any) -> None:
        taken.append(attempt(target, value))

    everything()
    assert len(taken) >= 0.9 * count
    assert any(taken) or len(taken) < 100  # some inputs are good, some are not
    assert sum(taken) < 0.98 * len(taken)


def test_the_watch_sees_what_is_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    from helpers.fuzzing import watched

    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").write_text("")
    with watched() as seen:
        (tmp_path / "other").read_text()
        exec("1 + 1")
        subprocess.run(["true"], check=True)
    assert [line.split()[0] for line in seen][:4] == ["open", "compile", "exec", "subprocess.Popen"]
