"""The readout of the precession: of what wobbles, never of what tumbles."""


def test_the_panel_shows_both_periods_of_what_wobbles_and_one_of_what_tumbles(stage):
    """Toutatis by its spin: 5.41 d and 7.35 d (R. S. Hudson and S. J. Ostro, 1995)."""
    shown = [line for line, _ in stage("toutatis-spin").texts]
    assert shown[shown.index("Precession") + 1] == "7.35"
    assert "5.41" in shown
    shown = [line for line, _ in stage("dzhanibekov").texts]
    assert shown[shown.index("Precession") + 1] == "none"


def test_what_is_below_stays_where_it_is_when_the_precession_comes(stage):
    shown = stage("dzhanibekov")
    below = {name: box for name, box in shown.boxes.items() if "body." in name}
    assert below
    shown.workspace.session.change({"start.angular_velocity": (0.5, 0.0, 5.0)})
    shown.frame(2)
    shown_now = [line for line, _ in shown.texts]
    assert shown_now[shown_now.index("Precession") + 1] != "none"
    assert {name: shown.boxes[name] for name in below} == below


def test_the_panel_says_whose_periods_these_are(stage):
    """Of the exact motion where the integrator leaves it, of the free one under loads."""
    shown = stage("toutatis-spin")
    for fields, prefix in (
        ({"loads.external_friction": 1e-6}, "free "),
        ({"solver.integrator": "no-gyroscopic"}, "exact "),
    ):
        shown.workspace.session.change(fields)
        shown.frame(2)
        lines = [line for line, _ in shown.texts]
        assert f"{prefix}T" in lines
        assert "T" not in lines
        assert f"{prefix}precession".capitalize() in lines
