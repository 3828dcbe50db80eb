"""Fences around the app and around the parts of a frame: an exception that nobody expected is told and logged, and the
app goes on."""

from collections.abc import Callable
from typing import Any

FAILED = "Cannot be shown (internal error)"  # in the place of a part of the interface


class ExceptionHandler:
    """Passes everything on to `target`; a call that raises ends there, and `failed` gets the exception."""

    def __init__(self, target: Any, failed: Callable[[Exception], None]) -> None:
        self._target, self._failed = target, failed

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if not callable(value):
            return value

        def call(*args: Any, **more: Any) -> Any:
            try:
                return value(*args, **more)
            except Exception as error:
                self._failed(error)
                return None

        return call


class ErrorBoundary:
    """Lets the parts of a frame fail one by one. `failed` gets what is raised, once while it comes every frame."""

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._failing: dict[str, str] = {}

    def attempt(self, part: str, what: Callable[[], object]) -> bool:
        """Does what makes this part of the frame; False where that raises."""
        try:
            what()
        except Exception as error:
            kind = f"{type(error).__name__}: {error}"
            if self._failing.get(part) != kind:
                self._failing[part] = kind
                self._failed(error)
            return False
        self._failing.pop(part, None)
        return True
