"""Where the pointer points while it holds something of the scene."""

from typing import Protocol

from viewer.common.frozen import frozen
from viewer.scene.stereo.views import Pair, Picking


@frozen
class Aim:
    """`pixel`: from the scene's upper left corner, as the eye whose `picking` it is sees it. `time`: s on the clock on
    the wall. `along`: Shift is held."""

    picking: Picking
    pixel: Pair
    time: float
    along: bool = False


class Tool(Protocol):
    """What is done with one kind of thing that the pointer can hold."""

    @property
    def lost(self) -> bool:
        """Whether something else has ended it: another scene was opened, a step undone."""
        ...

    def drop(self) -> None:
        """It is held no more, and what has become of it stays."""
        ...

    def grasp(self, aim: Aim) -> bool:
        """The button goes down over it; False: it cannot be held."""
        ...

    def drag(self, aim: Aim) -> None:
        """The pointer moves, or the motion has gone on under it."""
        ...

    def wheel(self, notches: float, aim: Aim) -> None:
        """The wheel turns meanwhile."""
        ...

    def release(self, aim: Aim) -> None:
        """The button goes up."""
        ...

    def cancel(self) -> None:
        """All is as if it had not been held."""
        ...
