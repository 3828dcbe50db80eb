"""Each frame is first seen from the polar angle that suits it; one that was chosen stays."""

from pathlib import Path

from viewer.scenario.scenario import Scenario, field_at
from viewer.scenario.sections.picture import SUITED_POLAR_ANGLES


def polar_angle(scenario: Scenario) -> float:
    return scenario.view.polar_angle_deg


def test_the_plane_below_is_seen_from_a_lower_angle_and_back() -> None:
    ceiling = Scenario()
    floor = ceiling.with_value("view.frame", "floor")
    assert (polar_angle(ceiling), polar_angle(floor)) == (62.0, 75.0)
    assert polar_angle(floor.with_value("view.frame", "ceiling")) == 62.0
    assert set(SUITED_POLAR_ANGLES) == {name for name, _ in field_at("view.frame").choices}


def test_a_chosen_angle_stays() -> None:
    chosen = Scenario().with_value("view.polar_angle_deg", 40.0)
    assert polar_angle(chosen.with_value("view.frame", "floor")) == 40.0
    both = {"view.frame": "floor", "view.polar_angle_deg": 62.0}
    assert polar_angle(Scenario().with_values(both)) == 62.0


def test_a_file_keeps_either(tmp_path: Path) -> None:
    for angle in (62.0, 75.0):
        scene = Scenario().with_values({"view.frame": "floor", "view.polar_angle_deg": angle})
        scene.save(tmp_path / "scene.toml")
        assert polar_angle(Scenario.load(tmp_path / "scene.toml")) == angle
