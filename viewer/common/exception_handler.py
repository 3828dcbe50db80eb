"""The app goes on after an unexpected exception in a part of a frame, which is reported."""

from collections.abc import Callable

from viewer.common.language import marked

FAILED = marked("Cannot be shown (internal error)")  # in place of a part of the ui


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
