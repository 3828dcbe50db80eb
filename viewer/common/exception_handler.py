"""Keep the app running after an unexpected exception in a callback or in a part of a frame, which is reported."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

FAILED = "Cannot be shown (internal error)"  # in place of a part of the ui

Target = TypeVar("Target")


class ExceptionHandler:
    """See `guarded`."""

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


def guarded(target: Target, failed: Callable[[Exception], None]) -> Target:
    """An object whose methods are those of `target`; a call that raises ends there, and `failed` gets the exception."""
    return cast(Target, ExceptionHandler(target, failed))


class ErrorBoundary:
    """Lets the parts of a frame fail one by one. `failed` gets an exception once, even if every frame raises it."""

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._failing: dict[str, str] = {}

    def attempt(self, part: str, what: Callable[[], object]) -> bool:
        """Runs this part of the frame; False where it raises."""
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
