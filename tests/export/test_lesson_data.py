"""What a page lets its reader change: the lesson's fields, with the ranges and units of the app."""

import json

from viewer.export.page.lesson_data import lesson_data
from viewer.export.page.words import page_words
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario


def test_the_controls_are_the_lessons_in_the_units_and_ranges_of_the_app():
    lesson = lesson_data(Scenario.preset("dzhanibekov"))
    assert [(c["path"], c.get("index")) for c in lesson["controls"]] == [
        ("start.angular_velocity", 1), ("start.angular_velocity", 0), ("body.height", None),
    ]  # fmt: skip
    rate, _, height = lesson["controls"]
    assert (rate["label"], rate["value"], rate["unit"], rate["low"], rate["high"]) == (
        "ω Y′ (t = 0)", 6.0, "rad/s", -10.0, 10.0
    )  # fmt: skip
    assert (height["unit"], height["size"]) == ("m", 1.0)
    assert [readout["name"] for readout in lesson["readouts"]] == ["omega", "energy", "momentum"]


def test_a_tumbling_asteroid_has_slow_units():
    lesson = lesson_data(Scenario.preset("toutatis"))
    assert lesson["readouts"][0]["unit"] == "°/d"
    assert lesson["speed"] > 1e4


def test_every_preset_can_be_read_in_a_page():
    for name in PRESETS:
        lesson = lesson_data(Scenario.preset(name))
        assert json.loads(json.dumps(lesson))["speed"] > 0.0
        assert all(c["kind"] == "switch" or c["low"] <= c["value"] <= c["high"] for c in lesson["controls"])
    assert json.loads(json.dumps(page_words()))["things"]["L"]["name"] == "Angular momentum L"
