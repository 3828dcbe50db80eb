"""How well bodies are found from tosses: `python tests/benchmarks/flights.py [TOSSES] [RATES]`. A minute.

TOSSES (200) of .8 s by scipy's integrator at each of the RATES (50,100,200 Hz): every other one of a phone's moments,
1 : .79 : .215, the rest of random solids; drag .02/s, noise of .01 to .05 rad/s, the sensor's axes anyhow. Error: the
larger one of the two ratios. Within: how many ratios are within one and within 1.96 of the standard deviations given,
.68 and .95 if these are right. Time: CPU of one fit.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from helpers.tosses import solid, toss

from viewer.replay.flights.body_fit import fit_flight

PHONE = np.array((1.0, 0.79, 0.215))
LIMIT = 0.5  # s of a fit


def measure(rate: float, tosses: int) -> tuple[list[float], list[float], list[float]]:
    """(errors of a toss, ratios' errors in standard deviations, CPU seconds of a fit)."""
    errors, deviations, spent = [], [], []
    for number in range(tosses):
        chance = np.random.default_rng((round(rate), number))
        moments = PHONE if number % 2 else solid(chance)
        one = toss(chance, moments, rate, noise=chance.uniform(0.01, 0.05))
        begin = time.process_time()
        fit = fit_flight(one.time, one.rates)
        spent.append(time.process_time() - begin)
        off = (fit.ratios - moments)[1:]
        errors.append(float(np.abs(off).max()))
        deviations += np.abs(off / fit.ratios_sigma[1:]).tolist()
    return errors, deviations, spent


def main() -> int:
    """Prints the table; 1 where a fit takes longer than it may in the median."""
    tosses = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rates = [float(text) for text in sys.argv[2].split(",")] if len(sys.argv) > 2 else [50.0, 100.0, 200.0]
    print(f"{tosses} tosses   error: median   95 %     within 1 and 1.96 sigma   time: median   95 %   longest, s")
    slow = False
    for rate in rates:
        errors, deviations, spent = measure(rate, tosses)
        one, two = (float(np.mean(np.array(deviations) < size)) for size in (1.0, 1.96))
        print(
            f"{rate:6.0f} Hz {np.median(errors):17.4f} {np.quantile(errors, 0.95):8.4f} {one:10.2f} {two:6.2f}"
            f" {np.median(spent):22.2f} {np.quantile(spent, 0.95):7.2f} {max(spent):8.2f}"
        )
        slow = slow or float(np.median(spent)) > LIMIT
    return int(slow)


if __name__ == "__main__":
    raise SystemExit(main())
