"""Builds the manual: all pages of `assets/manual` in one HTML file, whose links lead somewhere.

    python tests/tools/build_manual.py

writes `assets/manual/index.html`. Links between pages become links within the file, and a paragraph that is only a
link to a page of `draw_manual.py` becomes that page, playing.
"""

import html
import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from viewer.ui.manual import PAGES

MANUAL = Path(__file__).resolve().parents[2] / "assets" / "manual"

STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; display: grid; gap: 3rem;
  grid-template-columns: 14rem minmax(0, 1fr); font: 1rem/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 1.5rem; align-self: start; }
nav a { display: block; padding: .15rem 0; text-decoration: none; }
h1 { font-size: 1.7rem; margin: 0 0 1rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; }
section { margin-bottom: 4rem; scroll-margin-top: 1.5rem; } h2 { scroll-margin-top: 1.5rem; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-size: .93rem; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
code, pre { font: .88rem/1.5 ui-monospace, monospace; } td:first-child code { white-space: nowrap; }
pre { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; }
img { max-width: 100%; border-radius: .4rem; }
iframe { width: 100%; height: 32rem; border: 0; border-radius: .4rem; }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; } }
"""

PLAYING = re.compile(r"\[(.+)\]\((figures/\w+\.html)\)")  # a paragraph that is a link to a page that plays
FRAME = '<iframe src="{page}" title="{title}" loading="lazy" allow="fullscreen"></iframe>\n'


def slug(heading: str) -> str:
    """Returns the name of a heading in links, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.strip().replace(" ", "-")


def anchors() -> set[str]:
    """Returns all targets that a link may have."""
    found = set()
    for page in PAGES:
        text = (MANUAL / f"{page.name}.md").read_text(encoding="utf-8")
        found |= {page.name} | {f"{page.name}-{slug(title)}" for title in re.findall(r"^## (.+)$", text, re.M)}
    return found


def _link(address: str, page: str, known: set[str]) -> str:
    """Returns the link of a page for the single file; raises ValueError if it leads nowhere."""
    if address.startswith(("https://", "http://")):
        return address
    name, _, heading = address.partition("#")
    target = name.removesuffix(".md") if name else page
    if name and not name.endswith(".md"):
        if not (MANUAL / name).is_file():
            raise ValueError(f"{page}.md: there is no file {name}")
        return address
    anchor = f"{target}-{heading}" if heading else target
    if anchor not in known:
        raise ValueError(f"{page}.md: {address} leads nowhere")
    return f"#{anchor}"


def _page(name: str, known: set[str]) -> str:
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse((MANUAL / f"{name}.md").read_text(encoding="utf-8"))

    def mend(token: Token) -> None:
        for attribute in ("href", "src"):
            if attribute in token.attrs:
                token.attrs[attribute] = _link(str(token.attrs[attribute]), name, known)
        for child in token.children or ():
            mend(child)

    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            token.attrs["id"] = f"{name}-{slug(tokens[at + 1].content)}"
        mend(token)
    shown = [token for token in tokens if token.type != "html_block"]  # marks around generated tables
    for at, token in enumerate(shown):
        if token.type == "inline" and (found := PLAYING.fullmatch(token.content)):
            frame = Token("html_block", "", 0, content=FRAME.format(title=html.escape(found[1]), page=found[2]))
            shown[at - 1 : at + 2] = [frame, Token("html_block", "", 0), Token("html_block", "", 0)]
    body = markdown.renderer.render(shown, markdown.options, {})
    return f'<section id="{name}">\n{body}</section>\n'


def build() -> str:
    """Returns the whole manual as HTML. Raises ValueError if a link leads nowhere."""
    known = anchors()
    contents = "".join(f'<a href="#{page.name}">{html.escape(page.title)}</a>\n' for page in PAGES)
    pages = "".join(_page(page.name, known) for page in PAGES)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Poinsot: the manual</title>\n<style>{STYLE}</style>\n"
        f"<nav>\n<b>Poinsot</b>\n{contents}</nav>\n<main>\n{pages}</main>\n</html>\n"
    )


if __name__ == "__main__":
    (MANUAL / "index.html").write_text(build(), encoding="utf-8")
