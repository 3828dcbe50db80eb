"""The fields of a scene, a tour or a setting: a class for each kind, which checks, reads and writes its values."""

import math
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar

from viewer.common.errors import InputError, allowed_names, brief, name_shown, prefixed, refusal, shown
from viewer.common.frozen import frozen
from viewer.common.language import marked, tr
from viewer.common.quantities import LITERAL, UnitError, read_number, value_of

TEXT_LIMIT = 300  # characters in a text
ROWS_LIMIT = 64
TEXTS_LIMIT = 100  # texts in a list


Kind = TypeVar("Kind", bound="Field")


@frozen
class Field:
    """What every kind of field declares.

    Attributes
    ----------
    symbol : str
        The symbol of the field in formulas.
    formula : str
        Formulas that say what the symbol means.
    ended_by : tuple of str
        Fields of the same section. If one of them is set without this field, this field is switched off or becomes 0
        (see `Scenario.with_values`).
    remembered : bool
        Whether the user's settings keep the value between runs, for scenes that do not set this field.
    former : tuple of str
        Names that the field once had; files and scripts may still use them.
    keywords : str
        Further words by which a search finds the field, besides its label and its description.
    when : (path, values) or None
        The field has an effect only if the field at that path has one of these values; if the values are None, only if
        it is not empty. For a key of a table, the path is the name of another key.
    required : bool
        Whether a key of a table has no default, and must be given if `when` holds.
    """

    NEEDED: ClassVar[str] = ""  # begins the text that says what is missing; `allowed` follows

    label: str
    description: str
    unit: str = ""
    symbol: str = ""
    formula: str = ""
    ended_by: tuple[str, ...] = ()
    remembered: bool = False
    former: tuple[str, ...] = ()
    keywords: str = ""
    when: tuple[str, tuple[Any, ...] | None] | None = None
    required: bool = False

    def check(self, path: str, value: Any) -> Any:
        """Return the value, converted to the plain type of the field.

        Raises InputError, which names `path`, if the value is of a wrong type or out of range.
        """
        raise NotImplementedError

    def plain(self, value: Any) -> Any:
        """Return a checked value in the form in which it is written to a file."""
        return value

    def of_words(self, text: str) -> Any:
        """Return the value of a text of the command line that is no TOML; None if `check` can read the text itself."""
        return None

    @property
    def allowed(self) -> str:
        """The values that are allowed, as error messages and the manual state them."""
        raise NotImplementedError

    def refusal(self, text: str, path: str, value: str, **more: object) -> InputError:
        """Return the error with this text, with {path}, {value}, {allowed} and the names in `more` filled in."""
        return refusal(text, path=path, value=value, allowed=self.allowed, **more)


@frozen
class Number(Field):
    """A number from `low` to `high`, both included.

    A slider offers `soft_low`..`soft_high`; it is logarithmic if `log_scale` is set.
    """

    NEEDED = marked("a number in ")

    low: float = -math.inf
    high: float = math.inf
    soft_low: float = 0.0
    soft_high: float = 1.0
    log_scale: bool = False

    def check(self, path: str, value: Any) -> Any:
        """Return the value as a float. It may be given as a text with a unit, such as "5.41 d", too."""
        if isinstance(value, str):
            value = self._measured(path, value)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise self.refusal("{path}: {value} is not a number; allowed is {allowed}", path, shown(value))
        try:
            number = float(value)
        except OverflowError:
            raise self.refusal("{path}: {value} is outside {allowed}", path, shown(value)) from None
        if not self.low <= number <= self.high:
            raise self.refusal("{path}: {value} is outside {allowed}", path, brief(number) + self._unit)
        return number

    def _measured(self, path: str, text: str) -> Any:
        try:
            number, in_si = read_number(text, self.unit)
            return text if in_si is None else float(f"{in_si(float(number)):.15g}")
        except UnitError as error:
            raise prefixed(f"{path}: ", error) from None
        except ValueError:
            return text

    def of_words(self, text: str) -> Any:
        try:
            plain, in_si = read_number(text, self.unit)
            measured = in_si is not None and LITERAL.fullmatch(plain)
            return None if measured else value_of(text, self.unit)
        except ValueError:
            return None

    @property
    def allowed(self) -> str:
        return _between(self.low, self.high) + self._unit

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


@frozen
class Integer(Number):
    """A whole number from `low` to `high`, both included."""

    def check(self, path: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise self.refusal("{path}: {value} is not a whole number; allowed is {allowed}", path, shown(value))
        if not self.low <= int(value) <= self.high:
            raise self.refusal("{path}: {value} is outside {allowed}", path, shown(int(value)))
        return int(value)

    def of_words(self, text: str) -> Any:
        number = super().of_words(text)
        return number if number is None or not number.is_integer() else int(number)


class _ListOfNumbers(Number):
    """What a vector and a list of any length have in common."""

    def plain(self, value: Any) -> list[float]:
        return list(value)

    def of_words(self, text: str) -> Any:
        if text.startswith("[") != text.endswith("]"):
            return None
        inner = text[1:-1] if text.startswith("[") else text
        try:
            return [value_of(part, self.unit) for part in inner.split(",") if part.strip()]
        except ValueError:
            return None


@frozen
class Vector(_ListOfNumbers):
    """`size` numbers, each in `low`..`high`; `labels` are the names of the components."""

    NEEDED = marked("{count} numbers in ")

    size: int = 1
    labels: tuple[str, ...] = ()

    def check(self, path: str, value: Any) -> tuple[float, ...]:
        is_list = hasattr(value, "__len__") and hasattr(value, "__getitem__")
        if not is_list or isinstance(value, str | bytes | dict) or len(value) != self.size:
            raise self.refusal("{path}: {value} is not a list of {count} numbers", path, shown(value), count=self.size)
        return tuple(Number.check(self, f"{path}[{i}]", value[i]) for i in range(self.size))


@frozen
class Numbers(_ListOfNumbers):
    """At most `most` numbers, each in `low`..`high`."""

    most: int = TEXTS_LIMIT

    def check(self, path: str, value: Any) -> tuple[float, ...]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise self.refusal("{path}: {value} is not a list; allowed is {allowed}", path, shown(value))
        return tuple(Number.check(self, f"{path}[{i}]", number) for i, number in enumerate(value))

    @property
    def allowed(self) -> str:
        return tr("at most {count} numbers, each {range}{unit}").format(
            count=self.most, range=_between(self.low, self.high), unit=self._unit
        )


@frozen
class Choice(Field):
    """One of the named `choices`, each a name and its label. `meanings` say what each of them is, or are empty."""

    NEEDED = marked("one of ")

    choices: tuple[tuple[str, str], ...] = ()
    meanings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.__dict__["meanings"] = self.meanings or ("",) * len(self.choices)

    def check(self, path: str, value: Any) -> str:
        names = [name for name, _ in self.choices]
        if not isinstance(value, str) or value not in names:
            raise refusal(
                "{path}: {value} is unknown; {allowed}",
                path=path,
                value=shown(value),
                allowed=allowed_names(value, names),
            )
        return value

    @property
    def allowed(self) -> str:
        return ", ".join(name for name, _ in self.choices)


@frozen
class Switch(Field):
    """True or false."""

    def check(self, path: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.refusal("{path}: {value} is not a switch; allowed are {allowed}", path, shown(value))
        return value

    @property
    def allowed(self) -> str:
        return "true, false"


@frozen
class Text(Field):
    """One line of text."""

    def check(self, path: str, value: Any) -> Any:
        if not isinstance(value, str):
            raise self.refusal("{path}: {value} is not a string", path, shown(value))
        if len(value) > TEXT_LIMIT:
            raise self.refusal(
                "{path}: {value} has {count} characters; allowed are at most {most}",
                path,
                shown(value),
                count=len(value),
                most=TEXT_LIMIT,
            )
        if not value.isprintable():
            raise self.refusal(
                "{path}: {value} has characters that cannot be shown; allowed is one line", path, shown(value)
            )
        return value

    @property
    def allowed(self) -> str:
        return tr("at most {count} characters").format(count=TEXT_LIMIT)


@frozen
class Texts(Text):
    """At most `most` texts, each one line; `entry` raises InputError for a text that is not allowed."""

    most: int = TEXTS_LIMIT
    entry: Callable[[str], object] | None = None

    def check(self, path: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > self.most:
            raise self.refusal(
                "{path}: {value} is not a list of at most {most} strings", path, shown(value), most=self.most
            )
        found = tuple(Text.check(self, f"{path}[{i}]", entry) for i, entry in enumerate(value))
        if self.entry is not None:
            for i, text in enumerate(found):
                try:
                    self.entry(text)
                except InputError as error:
                    raise prefixed(f"{path}[{i}]: ", error) from None
        return found

    def plain(self, value: Any) -> list[str]:
        return list(value)

    @property
    def allowed(self) -> str:
        return tr("at most {count} strings").format(count=self.most)


@frozen
class Rows(Field):
    """Rows of numbers, in which the first number increases from row to row.

    `columns` has the name, the least and the greatest value of each column.
    """

    columns: tuple[tuple[str, float, float], ...] = ()

    def check(self, path: str, value: Any) -> tuple[tuple[float, ...], ...]:
        if not isinstance(value, list | tuple) or len(value) > ROWS_LIMIT:
            raise self.refusal("{path}: {value} is not a list of rows; allowed is {allowed}", path, shown(value))
        rows: list[tuple[float, ...]] = []
        for i, row in enumerate(value):
            if not isinstance(row, list | tuple) or len(row) != len(self.columns):
                raise self.refusal(
                    "{path}[{i}]: {row} is not a row; allowed is {allowed}", path, "", i=i, row=shown(row)
                )
            cells = [
                Number("", "", low=low, high=high).check(f"{path}[{i}], {name}", cell)
                for (name, low, high), cell in zip(self.columns, row, strict=True)
            ]
            rows.append(tuple(cells))
            if i and rows[i][0] <= rows[i - 1][0]:
                raise self.refusal(
                    "{path}[{i}], {name}: {number} is not above that of the previous row",
                    path,
                    "",
                    i=i,
                    name=self.columns[0][0],
                    number=brief(rows[i][0]),
                )
        return tuple(rows)

    def plain(self, value: Any) -> list[list[float]]:
        return [list(row) for row in value]

    @property
    def allowed(self) -> str:
        columns = (f"{name} {_between(low, high)}" for name, low, high in self.columns)
        return tr("at most {count} rows of [{columns}], the first increasing").format(
            count=ROWS_LIMIT, columns=", ".join(columns)
        )


@frozen
class _ListOfTables(Field):
    """At most `most` tables, each of which becomes a value."""

    most: int = TEXTS_LIMIT

    def check(self, path: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise self.refusal(
                "{path}: {value} is not a list of tables; {wanted}", path, shown(value), wanted=self.advice(path)
            )
        if len(value) > self.most:
            raise self.refusal("{path}: {count} tables are too many; allowed is {allowed}", path, "", count=len(value))
        return tuple(self.entry(f"{path}[{i}]", table) for i, table in enumerate(value))

    def entry(self, path: str, table: Any) -> Any:
        """Return the value that the table at `path` becomes; raises InputError if the table is not allowed."""
        raise NotImplementedError

    def advice(self, path: str) -> str:
        """Return what to write in place of a value that is no list."""
        raise NotImplementedError


@frozen
class Entries(_ListOfTables):
    """At most `most` tables [[name]] at the end of a file.

    `read` returns the value of the table at a path, and raises InputError if the table is not allowed.
    """

    read: Callable[[str, Any], Any] | None = None

    def entry(self, path: str, table: Any) -> Any:
        assert self.read is not None
        return self.read(path, table)

    def advice(self, path: str) -> str:
        return tr("write [[{path}]] before each").format(path=path)

    @property
    def allowed(self) -> str:
        return tr("at most {count} tables").format(count=self.most)


@frozen
class Tables(_ListOfTables):
    """At most `most` tables with these `keys`.

    `make` makes an immutable value from a table, with the keys as attributes. Its ValueErrors begin with the name of a
    key.
    """

    keys: tuple[tuple[str, Field], ...] = ()
    make: Callable[..., Any] | None = None

    def advice(self, path: str) -> str:
        return tr("allowed is {allowed}").format(allowed=self.allowed)

    def entry(self, path: str, table: Any) -> Any:
        assert self.make is not None
        if isinstance(self.make, type) and isinstance(table, self.make):
            table = self.used(table)
        fields = dict(self.keys)
        if not isinstance(table, Mapping):
            raise self.refusal(
                "{path}: {table} is not a table; allowed are {fields}",
                path,
                "",
                table=shown(table),
                fields=", ".join(fields),
            )
        checked = {}
        for key, value in table.items():
            if key not in fields:
                key_path = f"{path}.{name_shown(key)}"
                raise refusal("{path}: key not found; {allowed}", path=key_path, allowed=allowed_names(key, fields))
            checked[key] = fields[key].check(f"{path}.{key}", value)
        for key, field in fields.items():
            name, values = field.when or ("", None)
            used = field.when is None or checked.get(name, _first(fields[name])) in (values or ())
            where = tr(" where {name} is {values}").format(name=name, values=", ".join(values or ())) if name else ""
            if key in checked and not used:
                raise refusal("{path}.{key}: has no effect; it is allowed{where}", path=path, key=key, where=where)
            if field.required and used and key not in checked:
                count = field.size if isinstance(field, Vector) else 0
                needed = tr(field.NEEDED).format(count=count) + field.allowed if field.NEEDED else tr("a text")
                raise self.refusal(
                    "{path}.{key}: is missing; it must be given{where}: {needed}",
                    path,
                    "",
                    key=key,
                    where=where,
                    needed=needed,
                )
        try:
            return self.make(**checked)
        except ValueError as error:
            raise prefixed(f"{path}.", error) from None

    def key(self, name: str, kind: type[Kind]) -> Kind:
        """Return the declaration of the key with this name, which must be of this kind."""
        field = dict(self.keys)[name]
        assert isinstance(field, kind), f"{name} is a {type(field).__name__}"
        return field

    def used(self, made: Any) -> dict[str, Any]:
        """Return those values of a table, made by `make`, that have an effect, by key."""
        return {
            key: getattr(made, key)
            for key, field in self.keys
            if field.when is None or getattr(made, field.when[0]) in (field.when[1] or ())
        }

    def plain(self, value: Any) -> list[dict[str, Any]]:
        return [{key: entry for key, entry in self.used(made).items() if entry != math.inf} for made in value]

    @property
    def allowed(self) -> str:
        keys = ", ".join(key for key, _ in self.keys)
        return tr("at most {count} tables of {keys}").format(count=self.most, keys=keys)


def _first(field: Field) -> str:
    """Return the default choice of a field: the first one listed."""
    assert isinstance(field, Choice)
    return field.choices[0][0]


def _between(low: float, high: float) -> str:
    """Return a range in words."""
    return tr("{low} to {high}").format(low=brief(low), high=brief(high))
