"""What an eye sees in a tile of a large picture lies where it lies in the whole picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from viewer.scene.stereo.views import EyeView, Rectangle, common

side = st.integers(1, 3000)


@st.composite
def tiles(draw: st.DrawFn) -> EyeView:
    """Draw the view of a tile: a part of an eye's picture, somewhere in the picture that is drawn."""
    pixels = draw(side), draw(side)
    offset = draw(st.integers(0, pixels[0] - 1)), draw(st.integers(0, pixels[1] - 1))
    width, height = (draw(st.integers(1, whole - start)) for whole, start in zip(pixels, offset, strict=True))
    rectangle = draw(st.integers(0, 500)), draw(st.integers(0, 500)), width, height
    return EyeView(np.eye(4), np.zeros(3), rectangle, (1.0, 1.0), 0, pixels, offset=offset)


@given(view=tiles(), clip=st.tuples(*2 * [st.floats(-2.0, 2.0)]))
def test_a_point_falls_on_the_pixel_of_the_whole_picture(view: EyeView, clip: tuple[float, float]) -> None:
    whole = [0.5 * (1.0 + c) * size for c, size in zip(clip, view.pixels, strict=True)]
    scale, shift = view.clip_from_whole
    corner, extent = view.viewport[:2], view.viewport[2:]
    drawn = [
        start + 0.5 * (1.0 + s * c + t) * size
        for c, s, t, start, size in zip(clip, scale, shift, corner, extent, strict=True)
    ]
    of_whole = [d + a for d, a in zip(drawn, view.from_drawn, strict=True)]
    np.testing.assert_allclose(of_whole, whole, atol=1e-8)  # 4e-12 px measured


@given(view=tiles())
def test_a_tile_is_drawn_and_nothing_beside_it(view: EyeView) -> None:
    assert (common(view.viewport, view.rectangle)) == view.rectangle
    if view.viewport == view.rectangle:
        assert view.scissor is None
    else:
        assert view.scissor == view.rectangle


def test_of_a_part_that_is_drawn_only_that_is() -> None:
    view = EyeView(np.eye(4), np.zeros(3), (10, 20, 100, 50), (1.0, 1.0), 0, (100, 50), window=(90, 0, 50, 40))
    assert view.scissor == (90, 20, 20, 20)


rectangle = st.tuples(*2 * [st.integers(-20, 20)], *2 * [st.integers(0, 25)])


@given(one=rectangle, other=rectangle)
def test_what_two_rectangles_have_in_common_are_the_pixels_of_both(one: Rectangle, other: Rectangle) -> None:
    def pixels(x: int, y: int, width: int, height: int) -> set[tuple[int, int]]:
        return {(i, j) for i in range(x, x + width) for j in range(y, y + height)}

    assert pixels(*common(one, other)) == pixels(*one) & pixels(*other)
