"""When Python looks for garbage: not while modules are imported; there is none, and it took a sixth of the start."""

import gc


def put_off() -> None:
    """From now on it does not look."""
    gc.disable()


def look_again() -> None:
    """From now on it does, if it was put off; what is there by now stays, and is never looked at."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
