"""What the moments of a body were computed from."""

from viewer.common.frozen import frozen
from viewer.common.language import marked, tr

MEANINGS = {
    "formula": marked("the closed form of the shape"),
    "moments": marked("the principal moments as given"),
    "tensor": marked("the tensor as given"),
    "solid": marked("the solid that the mesh encloses"),
    "shell": marked("a thin shell along the mesh"),
    "hull": marked("the convex hull of the mesh"),
    "composite": marked("the sum of the parts"),
}


@frozen
class Remark:
    """A text with a number, {count}, in it; `str` puts it into the language that the user has then.

    `many`: the form for other numbers than one, where there is another.
    """

    text: str
    count: int = 0
    many: str = ""

    def __str__(self) -> str:
        return tr(self.many if self.many and self.count != 1 else self.text).format(count=self.count)


@frozen
class InertiaSource:
    """`method`: one of MEANINGS. `reason`: why it is not a better one, such as "3 open edges"; None: it is the best.

    `notes`: what was mended before.
    """

    method: str
    reason: Remark | None = None
    notes: tuple[Remark, ...] = ()

    @property
    def text(self) -> str:
        """In a line: "the convex hull of the mesh (3 open edges)"."""
        head = tr(MEANINGS[self.method])
        return "; ".join((f"{head} ({self.reason})" if self.reason else head, *map(str, self.notes)))
