"""How finely a moving picture is drawn: one entry each, the finest first. What stands still is always drawn in full."""

from dataclasses import replace

from viewer.common.frozen import frozen


@frozen
class Quality:
    """`resolution`: pixels drawn across and down for one of the screen."""

    name: str
    label: str
    resolution: float

    def within(self, size: tuple[int, int], largest: int) -> "Quality":
        """This one, or a coarser one with which a picture of `size` pixels has none of its sides above `largest`."""
        if max(size) * self.resolution <= largest:
            return self
        return replace(self, resolution=(largest - 1) / max(size))


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
