"""What the moments of a body were computed from."""

from viewer.common.errors import Wording
from viewer.common.frozen import frozen

MEANINGS = {
    "formula": "the closed form of the shape",
    "moments": "the principal moments as given",
    "tensor": "the tensor as given",
    "solid": "the solid that the mesh encloses",
    "shell": "a thin shell along the mesh",
    "hull": "the convex hull of the mesh",
    "composite": "the sum of the parts",
}


@frozen
class InertiaSource:
    """`method`: one of MEANINGS. `reason`: why it is not a better one, such as "3 open edges"; None: it is the best.

    `notes`: what was mended before.
    """

    method: str
    reason: Wording | None = None
    notes: tuple[Wording, ...] = ()

    @property
    def text(self) -> str:
        """In a line: "the convex hull of the mesh (3 open edges)"."""
        head = str(Wording(MEANINGS[self.method]))
        return "; ".join((f"{head} ({self.reason})" if self.reason else head, *map(str, self.notes)))
