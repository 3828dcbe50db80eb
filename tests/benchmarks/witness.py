"""An independent witness of what the window shows: its own integration of the free motion, period and texts.

It shares no formula with the program: Euler's equations by a Runge-Kutta method of its own, the period by SciPy's
complete elliptic integral (Landau and Lifshitz, Mechanics, paragraph 37), the texts as they are laid out.
"""

import re
from math import hypot, sqrt
from typing import Any

import numpy as np
from scipy.special import ellipkm1

ANGLE = 0.01  # rad a step of its own: its error is some 1e-10 a radian
LONGEST = 60.0  # rad that it follows a motion at most
ENERGY, DIRECTION = 1e-9, 1e-6  # relative; measured in 10,000 actions: see the report of a run
PERIOD = 1e-6  # relative, away from the separatrix
NEAR_SEPARATRIX = 1e-6  # of 2E/|L|^2: there the period depends on the last digits
NOT_A_NUMBER = re.compile(r"(?<![A-Za-z])(nan|inf)(?![A-Za-z])", re.IGNORECASE)


def kinetic(moments: Any, omega: Any) -> tuple[float, float]:
    """(E [J], |L| [kg m2/s]) of principal moments and rates in the body."""
    momentum = [moment * rate for moment, rate in zip(moments, omega, strict=True)]
    return 0.5 * sum(a * b for a, b in zip(momentum, omega, strict=True)), sqrt(sum(a * a for a in momentum))


def later(moments: Any, omega: Any, seconds: float) -> list[float]:
    """The rates (3,) in the body after so long a free motion, by the classical Runge-Kutta method."""
    I, J, K = (float(value) for value in moments)
    p, q, r = (J - K) / I, (K - I) / J, (I - J) / K
    x, y, z = (float(value) for value in omega)
    steps = max(1, round(abs(seconds) * hypot(x, y, z) / ANGLE))
    h = seconds / steps
    for _ in range(steps):
        a, b, c = p * y * z, q * z * x, r * x * y
        u, v, w = x + 0.5 * h * a, y + 0.5 * h * b, z + 0.5 * h * c
        d, e, f = p * v * w, q * w * u, r * u * v
        u, v, w = x + 0.5 * h * d, y + 0.5 * h * e, z + 0.5 * h * f
        g, i, j = p * v * w, q * w * u, r * u * v
        u, v, w = x + h * g, y + h * i, z + h * j
        k, m, n = p * v * w, q * w * u, r * u * v
        x += h / 6.0 * (a + 2.0 * (d + g) + k)
        y += h / 6.0 * (b + 2.0 * (e + i) + m)
        z += h / 6.0 * (c + 2.0 * (f + j) + n)
    return [x, y, z]


def period_of(moments: Any, omega: Any) -> float | None:
    """The period [s] of the free motion in the body; None where this formula has none, or near the separatrix."""
    low, middle, high = sorted(float(value) for value in moments)
    if middle - low < 1e-3 * high or high - middle < 1e-3 * high:
        return None
    energy, momentum = kinetic(moments, omega)
    square = momentum * momentum
    if square == 0.0 or abs(2.0 * energy * middle / square - 1.0) < NEAR_SEPARATRIX:
        return None
    if square < 2.0 * energy * middle:  # about the axis of the least moment: the same with the ends exchanged
        low, high = high, low
    rate = sqrt((high - middle) * (square - 2.0 * energy * low) / (low * middle * high))
    m = (middle - low) * (2.0 * energy * high - square) / ((high - middle) * (square - 2.0 * energy * low))
    return None if not 1e-9 < m < 1.0 else float(4.0 * ellipkm1(1.0 - m) / rate)


class Witness:
    """Looks at the window after each action, and remembers what it saw before."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.faults: list[str] = []
        self.looks = {"motion": 0, "period": 0, "texts": 0, "undo": 0}
        self.worst = {"energy": 0.0, "direction": 0.0, "period": 0.0}
        self._before: tuple[Any, Any] | None = None
        self._record()

    def _record(self) -> None:
        """Write down every text that is laid out."""
        from viewer.ui.platform.imgui_module import imgui

        draw, write, texts = imgui.ImDrawList.add_text, imgui.text_unformatted, self.texts

        def drawn(target: Any, *given: Any) -> None:
            texts.append(given[-1])
            draw(target, *given)

        def written(words: str) -> None:
            texts.append(words)
            write(words)

        imgui.ImDrawList.add_text, imgui.text_unformatted = drawn, written

    def look(self, app: Any) -> None:
        """Check what is shown now against what this witness works out itself."""
        from viewer.physics.integrators import INTEGRATORS

        self._check_texts()
        scene = app.workspace.session.scene
        snapshot = app.workspace.session.snapshot()
        reading, document = snapshot.reading, app.workspace.session.document
        numbers = (*reading.omega_body, *reading.orientation_wxyz, reading.energy)
        if not np.isfinite(numbers).all() and snapshot.stopped is None:
            self._fault(f"not finite: {numbers}")
        method = INTEGRATORS[snapshot.integrator]
        watched = method.order == 0 and method.keeps_invariants
        watched = watched and snapshot.loads.free and snapshot.stopped is None and not reading.at_rest
        watched = watched and scene.document.recorded is None and not document.held and not snapshot.bodies
        if not watched:
            self._before = None
            return
        moments, omega = snapshot.body.principal_moments, reading.omega_body
        if self._before is not None and self._before[0] == document:
            self._check_motion(moments, self._before[1], reading)
        self._before = document, reading
        self._check_period(moments, omega, snapshot.period)

    def _check_texts(self) -> None:
        self.looks["texts"] += len(self.texts)
        for text in self.texts:
            if NOT_A_NUMBER.search(text):
                self._fault(f"a text that is no number: {text!r}")
        self.texts.clear()

    def _check_motion(self, moments: Any, before: Any, now: Any) -> None:
        seconds = now.time - before.time
        energy, momentum = kinetic(moments, before.omega_body)
        size = float(np.linalg.norm(before.omega_body))
        for name, own, shown in (("E", energy, now.energy), ("|L|", momentum, _norm(now.angular_momentum_world))):
            error = abs(shown / own - 1.0)
            self.worst["energy"] = max(self.worst["energy"], error)
            if error > ENERGY:
                self._fault(f"{name} {shown!r} where {own!r} is kept, {seconds} s later")
        if 0.0 < abs(seconds) * size < LONGEST:
            self.looks["motion"] += 1
            error = _norm(np.subtract(later(moments, before.omega_body, seconds), now.omega_body)) / size
            self.worst["direction"] = max(self.worst["direction"], error)
            if error > DIRECTION:
                self._fault(f"omega {now.omega_body} is {error:.1e} off after {seconds} s from {before.omega_body}")

    def _check_period(self, moments: Any, omega: Any, shown: float | None) -> None:
        own = period_of(moments, omega)
        if own is None:
            return
        self.looks["period"] += 1
        error = float("inf") if shown is None else abs(shown / own - 1.0)
        self.worst["period"] = max(self.worst["period"], error)
        if error > PERIOD:
            self._fault(f"period {shown} where {own} is right: moments {tuple(moments)}, omega {tuple(omega)}")

    def undo_everything(self, app: Any, first: Any) -> None:
        """Undo until nothing is left, and compare with `first`, (scene, state at t = 0) of the first document."""
        session = app.workspace.session
        for _ in range(1000):
            if not session.undo_possible[0]:
                break
            session.undo()
        self.looks["undo"] += 1
        self._before = None
        if (now := start_of(app)) != first:
            self._fault(f"undo does not lead back: {_differences(first, now)}")

    def _fault(self, text: str) -> None:
        if len(self.faults) < 50 and text not in self.faults:
            self.faults.append(text)
            print(text, flush=True)


def start_of(app: Any) -> tuple[Any, ...]:
    """What undo has to lead back to, bit for bit: all fields of the scene but camera, clock and screen."""
    from viewer.scenario.scenario import SECTIONS

    start = app.workspace.session.document.start
    kept = [name for name in SECTIONS if name not in ("view", "playback", "stereo")]
    return (*((name, getattr(start, name)) for name in kept), ("changes", app.workspace.session.document.changes))


def _differences(first: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    return "; ".join(f"{a} -> {b}" for a, b in zip(first, now, strict=True) if a != b)[:400]


def _norm(vector: Any) -> float:
    return float(np.linalg.norm(vector))
