"""What the browsers of the other tests must be able to do."""

import numpy as np
import pytest

BROWSERS = ("chromium", "firefox")
PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Ω</title><link rel="icon" href="data:,">
<style>body { margin: 0; background: #ff0000 } canvas { display: block; }</style></head><body>
<canvas width="100" height="50"></canvas><script type="module">
const gl = document.querySelector("canvas").getContext("webgl2", { preserveDrawingBuffer: true });
gl.clearColor(0, 1, 0, 1);
gl.clear(gl.COLOR_BUFFER_BIT);
window.two = 2;
console.log("it runs");
</script></body></html>"""


@pytest.mark.parametrize("name", BROWSERS)
def test_a_page_draws_and_answers(browser_page, name):
    page = browser_page(name, size=(640, 360))
    page.open(PAGE)
    assert page.messages == ["log: it runs"]
    assert page.evaluate("window.two") == 2
    assert page.evaluate("(a, b) => [a[0], b.c + window.two]", [1], {"c": 3}) == [1, 5]
    assert page.evaluate("() => new Promise((done) => setTimeout(() => done(document.title), 5))") == "Ω"
    seen = page.screenshot()
    assert seen.shape == (360, 640, 3)
    assert np.all(seen[:50, :100] == (0, 255, 0))
    assert np.all(seen[50:] == (255, 0, 0))
    assert page.messages == ["log: it runs"]


@pytest.mark.parametrize("name", BROWSERS)
def test_errors_of_a_page_are_noticed(browser_page, name):
    page = browser_page(name)
    page.open("<!DOCTYPE html><meta charset=utf-8><link rel=icon href='data:,'><script>nowhere();</script>")
    (message,) = page.messages
    assert message.startswith("error")
    assert "nowhere is not defined" in message
