"""pyrr's functions for 4x4 matrices without its classes and its geometry: a fifth of the 6 ms that `import pyrr` takes.

A later `import pyrr` is whole, and finds these very functions.
"""

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


def _load() -> ModuleType:
    """pyrr.matrix44, imported while an empty package stands for pyrr."""
    spec = find_spec("pyrr")
    if spec is None or "pyrr" in sys.modules:
        return import_module("pyrr.matrix44")
    sys.modules["pyrr"] = module_from_spec(spec)
    try:
        return import_module("pyrr.matrix44")
    finally:
        del sys.modules["pyrr"]


matrix44: Any = _load()
