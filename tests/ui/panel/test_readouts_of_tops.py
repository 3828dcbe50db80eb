"""What the panel says beside a top's E + V and L z: the angles of gimbals, and what Kovalevskaya's top keeps."""

import pytest

from viewer.scene.words.describe import describe


def written(shown) -> set[str]:
    shown.ui.layout.show_panel(True)
    shown.frame(4)
    return {words for words, _ in shown.texts}


@pytest.mark.parametrize(("middle", "locked"), [(61.5, False), (8.0, True)])
def test_the_angles_of_gimbals_stand_over_their_names(stage, middle, locked):
    shown = stage("gyroscope-in-gimbals")
    session = shown.workspace.session
    session.change({"start.orientation_deg": (middle, 0.0, 0.0)})
    found = written(shown)
    assert {"outer", "middle", "inner", f"{middle:.1f}", "0.0"} <= found
    assert ("locked" in found) is locked
    session.change({"show.gimbals": False})
    assert "outer" not in written(shown)


def test_kappa_stands_where_it_is_kept(stage):
    shown = stage("kovalevskaya-top")
    assert {"κ", "8.93"} <= written(shown)
    assert "so it also keeps κ, 8.93 rad/s" in describe(shown.workspace.session)
    shown.workspace.session.change({"body.height": 0.35})
    assert "κ" not in written(shown)
    assert "κ" not in describe(shown.workspace.session)


def test_the_line_of_a_top_under_other_loads_is_not_cut(stage):
    shown = stage("top-with-cusps")
    shown.workspace.session.change({"loads.external_friction": 1e-6})
    assert "Without other loads: precesses and nods" in written(shown)
