"""A fence around the app: an exception that nobody expected is told and logged, and the app goes on."""

from collections.abc import Callable
from typing import Any


class Guard:
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
