"""Plain data as JSON."""

import json
import math
from typing import Any


def json_text(data: Any) -> str:
    """Return plain data as indented JSON with every digit. A number that is not finite, which JSON does not have,
    becomes null."""
    return json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
