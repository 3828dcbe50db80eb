"""How finely a moving picture is drawn: one entry each, the finest first. What stands still is always drawn in full."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Quality:
    """`resolution`: pixels drawn across and down for one of the screen."""

    name: str
    label: str
    resolution: float


QUALITIES: dict[str, Quality] = {
    quality.name: quality
    for quality in (
        Quality("full", "Full", 1.0),
        Quality("high", "High", 0.85),
        Quality("medium", "Medium", 0.7),
        Quality("low", "Low", 0.5),
    )
}
AUTO = "auto"
FULL = QUALITIES["full"]
