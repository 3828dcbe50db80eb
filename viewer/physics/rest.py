"""When a body is at rest: one definition for the motion, the construction, what is shown and what is written."""

AT_REST = 1e-12  # rad/s: a turn in 200 000 years


def at_rest(energy: float, L_norm: float) -> bool:
    """Whether a body of that energy [J] and |L| [kg m2/s] turns about L no faster than AT_REST, at 2E/|L| [rad/s]."""
    return 2.0 * energy <= AT_REST * L_norm
