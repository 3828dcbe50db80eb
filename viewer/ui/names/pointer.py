"""Which thing of the scene the pointer is over, and since when."""

from collections.abc import Callable

from viewer.scene.naming.spot import Spot, spot_at
from viewer.ui.view.scene_view import SceneView
from viewer.ui.window_layout import WindowLayout
from viewer.user.settings import Settings
from viewer.workspace.state import UiState

REST = 0.35  # s that the pointer has to rest before a surface says its name: there is one nearly everywhere
STAYS = 5.0  # s of rest after which that goes again: what it says is read, and it would hide a part of the picture
SOON = 1e-3  # s


class NamePointer:
    """Finds it where the pointer or the picture has moved, once a frame at most; `UiState.named` holds it.

    Positions are ui pixels.
    """

    def __init__(
        self,
        state: UiState,
        settings: Settings,
        layout: WindowLayout,
        scene_view: SceneView,
        clock: Callable[[], float],
    ) -> None:
        self._state, self._settings, self._layout, self._scene_view = state, settings, layout, scene_view
        self._clock = clock
        self._part = 0  # of the window, where the pointer is
        self._pointer: tuple[float, float] | None = None  # None: not over the scene, or a button is down
        self._moved_at = 0.0
        self._found_for: tuple[object, ...] = ()
        self._resting_on: Spot | None = None  # a surface that will say its name

    def point_at(self, x: float, y: float, part: int) -> None:
        """The pointer is over the scene with no button down."""
        self._part, self._pointer, self._moved_at = part, (x, y), self._clock()

    def leave(self) -> None:
        """The pointer is elsewhere, or a button goes down."""
        self._pointer = self._resting_on = None
        self._state.named = None

    def update(self) -> None:
        """Find what the pointer is over now."""
        if not self._due:
            return
        self._found_for = self._for
        found, before = self._find(), self._state.named
        surface = found is not None and found.point is None
        there = found is not None and before is not None and (found.layer, found.name) == (before.layer, before.name)
        rested = self._clock() - self._moved_at
        self._resting_on = found if surface and not there and rested < REST else None
        gone = self._resting_on is not None or (surface and rested >= STAYS)
        self._state.named = None if gone else found

    def wait(self) -> float | None:
        """Seconds until `update` has something to do; None: never."""
        if self._for != self._found_for:
            return SOON
        if self._changes_at is not None:
            return max(self._changes_at - self._clock(), SOON)
        return None

    @property
    def _changes_at(self) -> float | None:
        """When a surface says its name, or no longer does; None: there is none."""
        if self._resting_on is not None:
            return self._moved_at + REST
        named = self._state.named
        return None if named is None or named.point is not None else self._moved_at + STAYS

    @property
    def _due(self) -> bool:
        return self._for != self._found_for or (self._changes_at is not None and self._clock() >= self._changes_at)

    @property
    def _for(self) -> tuple[object, ...]:
        """All that it depends on."""
        if self._pointer is None:
            return ()
        return self._pointer, self._part, self._scene_view.count, self._off, self._layout.areas.scene

    @property
    def _off(self) -> bool:
        """Whether nothing says its name now."""
        state = self._state
        elsewhere = self._layout.overlays.modal or state.chart or state.hidden or state.hand or state.lecture
        return elsewhere or state.quiz_open or not self._settings.value("names.pointer")

    def _find(self) -> Spot | None:
        return None if self._pointer is None or self._off else self.spot_at(*self._pointer, self._part)

    def spot_at(self, x: float, y: float, part: int) -> Spot | None:
        """Return what is at (x, y) of the scene, as it is seen in that part of the window."""
        frame, scene = self._scene_view.frame, self._layout.areas.scene
        if frame is None or self._state.chart:
            return None
        pixel, size = (x + 0.5 - scene.x, y + 0.5 - scene.y), (float(scene.width), float(scene.height))
        return spot_at(frame, part, pixel, size, self._layout.scale)
