"""What a session reports: that something visible has changed, and what the user should know."""


class Status:
    """`revision` grows whenever something visible has changed; `event`: what has just happened, if anything, and
    `doubt`: it is no failure, but what is doubtful about what was read.

    `by_clock`: by how much of that it has grown only because the clock runs. `number`: of the event; another one where
    the same happens again.
    """

    def __init__(self) -> None:
        self.revision = self.by_clock = 0
        self.event: str | None = None
        self.number = 0
        self.doubt = False

    def changed(self) -> None:
        """Something visible has changed."""
        self.revision += 1

    def report(self, event: str | None, *, doubt: bool = False) -> None:
        """The same, and what has happened; None takes the last report away."""
        self.event, self.doubt, self.number = event, doubt, self.number + 1
        self.changed()
