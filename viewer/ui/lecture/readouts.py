"""The large numbers of lecture mode: one entry each, by the names that a scene's lesson uses."""

from collections.abc import Callable

import numpy as np

from viewer.common.frozen import frozen
from viewer.common.language import tr
from viewer.scene.words.spin import period_name
from viewer.session.snapshot import Snapshot


@frozen
class Readout:
    """`color`: of the theme, by name. `of`: the value, None where there is none. `error`: of that quantity."""

    label: str
    unit: str
    color: str
    of: Callable[[Snapshot], float | None]
    error: bool = False

    def title(self, snapshot: Snapshot) -> str:
        """Return the label as it is shown."""
        if self is READOUTS["period"]:
            return period_name(snapshot)
        return tr("Error of {quantity}").format(quantity=self.label) if self.error else self.label


def _momentum(snapshot: Snapshot) -> float:
    return float(np.linalg.norm(snapshot.reading.angular_momentum_world))


def _relative(value: float, target: float) -> float:
    return (value - target) / target if target else 0.0


READOUTS = {
    "time": Readout("t", "s", "text", lambda s: s.reading.time),
    "omega": Readout("|ω|", "rad/s", "angular_velocity", lambda s: float(np.linalg.norm(s.reading.omega_world))),
    "energy": Readout("E", "J", "polhode", lambda s: s.reading.energy),
    "momentum": Readout("|L|", "kg m²/s", "angular_momentum", _momentum),
    "period": Readout("T", "s", "text", lambda s: s.period),
    "energy_error": Readout(
        "E", "", "polhode", lambda s: _relative(s.reading.energy, s.reading.target_energy), error=True
    ),
    "momentum_error": Readout(
        "|L|", "", "angular_momentum", lambda s: _relative(_momentum(s), s.reading.target_momentum), error=True
    ),
}
