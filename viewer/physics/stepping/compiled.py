"""The kernels compiled by numba, from the same source that runs as Python. Imported on first need.

numba is the optional extra `fast`. A function is compiled with everything of the physics that it calls.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from inspect import signature
from threading import Thread
from types import FunctionType
from typing import Any

from viewer.common.errors import refusal


def require() -> None:
    """Imports numba; raises ValueError where it is not installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        raise refusal("fast: numba is not installed; pip install 'poinsot[fast]' brings it") from None


@cache
def compiled(function: Callable[..., Any], into_its_caller: bool = False) -> Callable[..., Any]:
    """A function on plain floats as machine code; what it calls of viewer.physics is compiled into it, without what
    Python would call that by.

    Division by zero gives inf or nan here, as in C. Raises ValueError where numba is not installed.
    """
    require()
    import numba

    assert isinstance(function, FunctionType)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        found = names.get(name)
        if isinstance(found, FunctionType) and found.__module__.startswith("viewer.physics"):
            names[name] = compiled(found, True)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    jitted: Callable[..., Any] = numba.njit(
        error_model="numpy", forceinline=into_its_caller, no_cpython_wrapper=into_its_caller, no_cfunc_wrapper=True
    )(copy)
    return jitted


@cache
def specialise(function: Callable[..., Any], step: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, compiled, without its first argument, which is `step`: as an argument that would cost 4 us a call."""
    names = {"function": compiled(function), "step": compiled(step)}
    import numba

    rest = ", ".join(list(signature(function).parameters)[1:])
    call = eval(f"lambda {rest}: function(step, {rest})", names)
    jitted: Callable[..., Any] = numba.njit(error_model="numpy", no_cfunc_wrapper=True)(call)
    return jitted


THREAD = "compiles steps"
_in_background: dict[Any, Callable[..., Any] | None] = {}


def compile_in_background(steps: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | None:
    """A function, or partial(function, step), compiled: None until a thread in the background has done that.

    It is called once, with `arguments`, whose kinds it is compiled for. That takes seconds, in which the other threads
    are held up again and again, by a quarter of a second at worst. Where numba is missing None stays.
    """
    function, step = (steps.func, steps.args) if isinstance(steps, partial) else (steps, ())
    key = (function, step, _kinds(arguments))
    if key not in _in_background:
        _in_background[key] = None
        if find_spec("numba"):
            Thread(target=_compile, args=(key, arguments), name=THREAD, daemon=True).start()
    return _in_background[key]


def _compile(key: Any, arguments: tuple[Any, ...]) -> None:
    function, step, _ = key
    quick = specialise(function, *step) if step else compiled(function)
    quick(*arguments)
    _in_background[key] = quick


def _kinds(value: Any) -> Any:
    """The types of nested tuples."""
    return tuple(map(_kinds, value)) if isinstance(value, tuple) else type(value)
