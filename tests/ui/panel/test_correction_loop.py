"""The diagram of the paper's Fig. 4 in the panel says what the running motion does."""

import pytest


def texts(shown) -> list[str]:
    shown.frame(2)
    return [line for line, _ in shown.texts]


@pytest.mark.parametrize(("tolerance", "amplified"), [(1e-12, True), (0.5, False)])
def test_the_diagram_shows_the_branch_that_i_c_takes(stage, tolerance, amplified):
    """A cycle multiplies i_c by k2 (1.1) where the energy errs by more than k_e, and by k1 (0.9) where it does not."""
    shown = stage("paper-fig3", (1280, 2400), open_all=True)
    session = shown.workspace.session
    session.change({"solver.stabilisation": "gradient", "solver.energy_tolerance": tolerance})
    session.run_to(0.5)
    i_c = session.snapshot().corrector
    seen = texts(shown)
    assert float(seen[seen.index("Corrector") + 1].removeprefix("i_c = ")) == pytest.approx(i_c, rel=1e-2)
    reading = session.snapshot().reading
    share = abs(reading.energy / reading.target_energy - 1.0)
    assert (share > tolerance) == amplified
    error, relation, _ = seen[seen.index("Correction needed?") + 1].split()
    assert relation == (">" if amplified else "≤")
    assert float(error) == pytest.approx(share, rel=1e-2)


def test_there_is_no_diagram_without_the_gradient(stage):
    shown = stage("paper-fig3", (1280, 2400), open_all=True)
    for method in ("off", "closest-point"):
        shown.workspace.session.change({"solver.stabilisation": method})
        assert "Correction needed?" not in texts(shown)


@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_no_text_is_wider_than_its_box(stage, scale):
    shown = stage("paper-fig3", (round(1280 * scale), 3600), scale, open_all=True)
    shown.workspace.session.change({"solver.stabilisation": "gradient"})
    texts(shown)
    left, _, right, _ = shown.boxes["##corrections"]
    inside = [box for line, box in shown.texts if line.startswith(("i_c =", "−i_c", "E = ½", "yes: ", "no: "))]
    assert len(inside) >= 5
    assert all(left <= box[0] < box[2] <= right for box in inside)
