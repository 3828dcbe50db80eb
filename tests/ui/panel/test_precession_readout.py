"""The readout of the precession: of what wobbles, never of what tumbles."""


def test_the_panel_shows_both_periods_of_what_wobbles_and_one_of_what_tumbles(stage):
    """Toutatis by its spin: 5.41 d and 7.35 d (R. S. Hudson and S. J. Ostro, 1995)."""
    shown = [line for line, _ in stage("toutatis-spin").texts]
    assert shown[shown.index("Precession") + 1] == "7.35"
    assert "5.41" in shown
    assert "Precession" not in [line for line, _ in stage("dzhanibekov").texts]
