"""What an earlier version wrote is read as it was meant. `data/before` was made by the commit before fields were
renamed: a scene of many changed fields, pictures of it, settings, its presets, and their values as that commit read
them."""

import json
from pathlib import Path
from typing import Any

import pytest

from viewer.common.errors import InputError
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import SECTIONS, Scenario, field_at
from viewer.user.settings import Settings

BEFORE = Path(__file__).parents[1] / "data" / "before"
VALUES: dict[str, dict[str, Any]] = json.loads((BEFORE / "values.json").read_text(encoding="utf-8"))
RENAMED = {
    "solver.additional_steps": "solver.extra_substeps",
    "view.latitude_deg": "view.polar_angle_deg",
    "view.longitude_deg": "view.azimuth_deg",
}


def plain(value: Any) -> Any:
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


def as_before(scenario: Scenario, name: str) -> None:
    left_out = {"loads.pulse"} if scenario.loads.auto_pulse else set()  # it suits the body since then
    read = {path: plain(scenario.value(path)) for path in VALUES[name].keys() - left_out}
    assert read == {path: VALUES[name][path] for path in read}


@pytest.mark.parametrize("name", ["scene", "short"])
def test_scenes(name: str) -> None:
    as_before(Scenario.load(BEFORE / f"{name}.toml"), name)


@pytest.mark.parametrize("suffix", ["png", "jpg", "gif"])
def test_pictures(suffix: str) -> None:
    assert Scenario.load(BEFORE / f"picture.{suffix}") == Scenario.load(BEFORE / "scene.toml")


@pytest.mark.parametrize("name", [key.removeprefix("preset ") for key in VALUES if key.startswith("preset ")])
def test_presets(name: str) -> None:
    as_before(Scenario.load(BEFORE / "presets" / f"{name}.toml"), f"preset {name}")
    now = Scenario.preset(name)
    if name == "paper-fig1":  # is the paper's program since then
        assert (now.solver.integrator, now.solver.stabilisation) == ("first-order", "gradient")
        unchanged = [path for path in VALUES[f"preset {name}"] if path == "summary" or path.startswith("solver.")]
        now = now.with_values({path: VALUES[f"preset {name}"][path] for path in unchanged})
    if name == "rod":  # Explorer 1 is a scene of its own since then
        now = now.with_value("title", VALUES["preset rod"]["title"])
    if name == "paper-fig2":  # is seen from the side since then
        now = now.with_value("view.polar_angle_deg", VALUES[f"preset {name}"]["view.latitude_deg"])
    if name in ("race-gyroscopic-torque", "race-of-five"):  # are described in other words since then
        now = now.with_value("summary", VALUES[f"preset {name}"]["summary"])
    as_before(now, f"preset {name}")


def test_settings() -> None:
    settings = Settings(BEFORE / "settings.toml")
    assert settings.problems == []
    assert settings.value("panel.open_sections") == ("Body", "Solver")
    assert (settings.value("panel.text_size"), settings.value("window.width")) == (1.3, 1100)
    assert settings.scene_defaults().view.theme == "light"


def test_every_former_name_is_known_and_means_its_field() -> None:
    formers = {
        f"{section}.{former}": f"{section}.{name}"
        for section, kind in SECTIONS.items()
        for name in kind.__dataclass_fields__
        for former in field_at(f"{section}.{name}").former
    }
    assert formers == RENAMED
    for former, now in RENAMED.items():
        assert Scenario().with_value(former, 7).value(now) == 7
        assert field_at(former) is field_at(now)


def test_a_scene_that_is_saved_keeps_the_names_that_its_file_has(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((BEFORE / "short.toml").read_text(encoding="utf-8"), encoding="utf-8")
    changed = Scenario.load(path).with_value("view.polar_angle_deg", 25.0)
    changed.save(path)
    text = path.read_text(encoding="utf-8")
    assert "latitude_deg = 25.0  # nearly from above" in text
    assert "polar_angle_deg" not in text
    assert Scenario.load(path) == changed


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"polar_angle_deg: is given twice; allowed is one of polar_angle_deg, latitude_deg"
    ):
        Scenario.from_text("[view]\nlatitude_deg = 1\npolar_angle_deg = 2")


def test_the_error_says_the_name_that_was_written() -> None:
    with pytest.raises(InputError, match=r"view\.latitude_deg: 200 ° is outside 0 to 180 °"):
        Scenario.from_text("[view]\nlatitude_deg = 200")


def test_there_are_no_fewer_presets() -> None:
    assert {f"preset {name}" for name in PRESETS} >= {key for key in VALUES if key.startswith("preset ")}
