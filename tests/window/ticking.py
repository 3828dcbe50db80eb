"""A clock for tests about time."""


class TickingClock:
    """A clock that goes on by a millisecond each time it is read: machines of any speed see the same."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1e-3
        return self.now
