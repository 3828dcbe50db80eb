"""The kernels compiled by numba, from the same source that runs as Python. Imported when first needed.

numba is the optional extra `fast`. A function is compiled together with all functions of the physics that it calls. The
machine code is kept in the user's cache folder, from which later runs read it.
"""

import warnings
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from hashlib import sha256
from importlib.util import find_spec
from inspect import signature
from threading import Thread
from types import CodeType, FunctionType
from typing import Any

from viewer.common import folders
from viewer.common.errors import refusal
from viewer.common.frozen import frozen

Function = Callable[..., Any]

OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}  # of numba


def require() -> None:
    """Import numba; raise ValueError if it is not installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        raise refusal("fast: numba is not installed; pip install 'poinsot[fast]' brings it") from None


@frozen
class MachineCode:
    """A compiled function; `dispatcher` is numba's object, by which other compiled functions call it."""

    dispatcher: Any

    def __call__(self, *arguments: Any) -> Any:
        """Run the function; the first call compiles it."""
        if not self.dispatcher.signatures:
            with warnings.catch_warnings():  # about functions as arguments, whose addresses are never written to disk
                warnings.filterwarnings("ignore", "First-class function type")
                return self._run(*arguments)
        return self._run(*arguments)

    def _run(self, *arguments: Any) -> Any:
        try:
            return self.dispatcher(*arguments)
        except Exception:  # a full disk or a damaged file raises whatever numba or pickle raises
            return self._of_this_run(*arguments)

    @cached_property
    def _of_this_run(self) -> Any:
        """The function compiled for this run only, without files on the disk."""
        import numba

        return numba.njit(**OPTIONS)(self.dispatcher.py_func)


@cache
def compiled(function: Function, *first: Function) -> MachineCode:
    """Return a function on plain floats as machine code, with the functions `first` as its first arguments.

    They are compiled in, because passing a function in a call would cost 4 us. Division by zero gives inf or nan in
    machine code, as in C. The first call compiles, which takes a second or more, or reads what an earlier run has
    compiled. Raises ValueError if numba is not installed.
    """
    require()
    import numba

    # numba does not keep code that passes on a function's address: functions that take one become part of their caller
    parts = {f"part_{n}": _jitted(part, n < len(first)) for n, part in enumerate((function, *first))}
    rest = list(signature(function).parameters)[len(first) :]
    called = f"part_0({', '.join((*list(parts)[1:], *rest))})"
    call = eval(f"lambda {', '.join(rest)}: {called}", {"__name__": __name__, **parts})
    digest = sha256(repr([list(_sources(part)) for part in (function, *first)]).encode()).hexdigest()
    call.__qualname__ = f"{function.__name__}_{digest[:32]}"  # the name by which numba finds the code again
    dispatcher = numba.njit(**OPTIONS)(call)
    try:
        place = folders.cache() / "compiled" / "steps.py"
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.touch()
        call.__code__ = call.__code__.replace(co_filename=str(place))  # numba writes its files beside this one
        dispatcher.enable_caching()
    except (OSError, RuntimeError):  # nothing can be written there
        pass
    return MachineCode(dispatcher)


@cache
def _jitted(function: Function, into_its_caller: bool = False) -> Any:
    """Return a compiled function for use in other compiled functions.

    The functions of viewer.physics that it calls are compiled into it, without wrappers for calls from Python.
    """
    import numba

    assert isinstance(function, FunctionType)
    names = dict(function.__globals__) | {name: _jitted(part, True) for name, part in _called(function)}
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    return numba.njit(**OPTIONS, forceinline=into_its_caller, no_cpython_wrapper=into_its_caller)(copy)


def _called(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of viewer.physics that a function calls, each with the name that it has there."""
    for name in function.__code__.co_names:
        found = function.__globals__.get(name)
        if isinstance(found, FunctionType) and found.__module__.startswith("viewer.physics"):
            yield name, found


def _sources(function: Function) -> Iterator[object]:
    """Yield all that the machine code of a function depends on: code and constants of the function and its callees."""
    assert isinstance(function, FunctionType)
    used = (function.__globals__.get(name) for name in function.__code__.co_names)
    yield from _plain(function.__code__)
    yield [value for value in used if isinstance(value, int | float | tuple)], function.__defaults__
    for _, part in _called(function):
        yield from _sources(part)


def _plain(code: CodeType) -> Iterator[object]:
    """Yield all that determines what code does, leaving out its position in a file."""
    yield code.co_code, code.co_names, code.co_varnames
    for value in code.co_consts:
        yield list(_plain(value)) if isinstance(value, CodeType) else value


THREAD = "compiles steps"
_in_background: dict[Any, Callable[..., Any] | None] = {}


def compile_in_background(steps: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return the compiled form of a function or of partial(function, step); None until it has been compiled.

    A background thread compiles it for the types of `arguments`, by calling it with them once. That takes seconds, in
    which the other threads are held up again and again, for a quarter of a second at worst. Without numba the result
    remains None.
    """
    function, first = (steps.func, steps.args) if isinstance(steps, partial) else (steps, ())
    key = (function, first, _kinds(arguments))
    if key not in _in_background:
        _in_background[key] = None
        if find_spec("numba"):
            Thread(target=_compile, args=(key, arguments), name=THREAD, daemon=True).start()
    return _in_background[key]


def _compile(key: Any, arguments: tuple[Any, ...]) -> None:
    function, first, _ = key
    quick = compiled(function, *first)
    quick(*arguments)
    _in_background[key] = quick


def _kinds(value: Any) -> Any:
    """Return the types of the values in nested tuples, as nested tuples."""
    return tuple(map(_kinds, value)) if isinstance(value, tuple) else type(value)
