"""What the panel says of how the eyes' pictures lie apart."""

import pytest

from viewer.scene.stereo.comfort import Comfort, Parallax
from viewer.ui.panel.picture_sections import figures, verdict


def point(share: float, metres: float | None = None, good: bool = True) -> Parallax:
    return Parallax(share, 57.3 * share, metres, good)


def test_figures_have_a_sign_and_no_length_where_the_screen_is_unknown():
    assert figures(point(-0.0098)) == ("−0.98", "−0.56", "—")
    assert figures(point(0.02, 0.0105)) == ("+2.00", "+1.15", "+10.5")


@pytest.mark.parametrize(
    ("near", "far", "said"),
    [
        (True, True, "comfortable"),
        (False, True, "too far in front of the screen"),
        (True, False, "too far behind the screen"),
        (False, False, "too much depth"),
    ],
)
def test_the_verdict_is_told_in_words(stage, near, far, said):
    shown = stage(size=(1280, 3200), open_all=True)
    shown.scene_view.comfort = Comfort(point(-0.01, good=near), point(0.02, good=far))
    shown.workspace.session.change({"stereo.mode": "side-by-side-half"})
    shown.ui.layout.show_panel(True)  # it is folded where each eye has a part of the window
    shown.frame(2)
    texts = [text for text, _ in shown.texts]
    assert said in texts
    assert "+2.00" in texts
    if not (near and far):
        assert verdict(shown.scene_view.comfort) == said
    shown.workspace.session.change({"stereo.mode": "mono"})
    shown.frame(2)
    assert said not in [text for text, _ in shown.texts]
