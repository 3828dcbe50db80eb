"""Checks a TOML file that is a list of entries, such as the steps of a tour; its errors know the line."""

import re
from typing import Any, NoReturn

from viewer.common.errors import InputError, allowed_names, name_shown, refusal
from viewer.common.language import tr
from viewer.scenario.field import Field


class EntryReader:
    """Checks the parts of a file; `kind`: the name of its list, whose entries begin with [[kind]]."""

    def __init__(self, source: str, name: str, kind: str) -> None:
        """`name`: of the file, as it stands in the errors."""
        self._lines, self._name, self._kind = source.split("\n"), name, kind

    def fail(self, message: str, key: str, entry: int | None) -> NoReturn:
        """Raises the error with the line of a key, of the entry with that number where it is not None."""
        line = self._line(key, entry)
        raise InputError(f"{message} ({self._name}{f', line {line}' if line else ''})") from None

    def _line(self, key: str, entry: int | None) -> int | None:
        """The number of the line of a key, else that of the entry's head; None where it is not found."""
        found, at = None, None
        for count, line in enumerate(self._lines, 1):
            if re.match(rf"\s*\[\[\s*{self._kind}\s*\]\]", line):
                at = 0 if at is None else at + 1
                found = count if at == entry else found
            if at == entry and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line):
                return count
        return found

    def check_keys(self, entries: dict[str, Any], names: tuple[str, ...], path: str, entry: int | None) -> None:
        """Fails where there is a key that is none of the names."""
        for key in entries:
            if key not in names:
                self.fail(
                    tr("{path}{key}: field not found; {allowed}").format(
                        path=path, key=name_shown(key), allowed=allowed_names(key, names)
                    ),
                    key,
                    entry,
                )

    def checked(
        self, fields: dict[str, Field], key: str, value: Any, path: str, entry: int | None, required: bool = True
    ) -> Any:
        """The value, checked by the field of that name; a text must not be empty where it is `required`."""
        try:
            checked = fields[key].check(path, value)
            if checked == "" and required:
                raise refusal("{path}: is missing; allowed is a text", path=path)
        except InputError as error:
            self.fail(str(error), key, entry)
        return checked
