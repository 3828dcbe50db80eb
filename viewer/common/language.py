"""The language of every text that a user sees: one gettext catalogue per language, `assets/languages/NAME.po`.

Texts are in the language that `choose` was last given. The command that opens the window chooses the language in the
settings. The other commands, files and logs use only English. The English text is also the key of every text in the
catalogues.
"""

import gettext
import io
import os
import struct
import sys
from functools import cache

from viewer.common import resources

SYSTEM, ENGLISH = "system", "en"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # as gettext reads them: the first that is set counts

_catalogue = gettext.NullTranslations()
_chosen: str | None = None


def tr(text: str, context: str = "") -> str:
    """Return the text in the user's language, or as it is if the catalogue does not have it.

    The English text is the key, with a `context` if it has several meanings: "Space" may mean a key of the keyboard.
    Values are put in afterwards: `tr("{name} saved").format(name=name)`.
    """
    if context:
        return _catalogue.pgettext(context, text)
    return _catalogue.gettext(text) if text else ""


def inside(label: str) -> str:
    """Return a label as it is written inside a sentence: in English in lower case, in other languages as translated."""
    return tr(label) if isinstance(_catalogue, gettext.GNUTranslations) else label.lower()


def marked(text: str) -> str:
    """Return the text unchanged. The call marks it for the catalogue; `tr` translates it where it is shown."""
    return text


def plural(one: str, many: str, count: int) -> str:
    """Return the form of a text that fits a count: `plural("{count} step", "{count} steps", n).format(count=n)`."""
    return _catalogue.ngettext(one, many, count)


@cache
def languages() -> dict[str, str]:
    """Return the codes of the languages, each with the name of the language in that language."""
    files = (resources.folder("assets") / "languages").iterdir()
    codes = sorted(file.name.removesuffix(".mo") for file in files if file.name.endswith(".mo"))
    return {ENGLISH: "English"} | {code: _header(code, "Language-Name") for code in codes}


def english_name(code: str) -> str:
    """Return the English name of the language with this code; SYSTEM is returned as it is."""
    return {ENGLISH: "English", SYSTEM: SYSTEM}.get(code) or _header(code, "English-Name")


def choose(setting: str) -> bool:
    """Choose the language of all texts, one of `languages` or SYSTEM; return whether the choice has changed."""
    global _catalogue, _chosen
    if setting == _chosen:
        return False
    _chosen = setting
    found = code()
    _catalogue = _read(found) if found != ENGLISH else gettext.NullTranslations()
    return True


def code() -> str:
    """Return the code of the language of the texts, such as "de"."""
    return system_language() if _chosen == SYSTEM else _chosen or ENGLISH


def chosen() -> str | None:
    """Return what `choose` was last given."""
    return _chosen


def system_language() -> str:
    """Return the code of the first of `languages` that the user's system asks for, or of English."""
    for name in _wanted():
        code = name.split(".")[0].split("@")[0].replace("-", "_")
        for known in (code, code.split("_")[0]):
            if known in languages():
                return known
    return ENGLISH


def _wanted() -> list[str]:
    """Return the names, such as "de_AT.UTF-8", of the languages that the system asks for, the preferred one first."""
    found = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
    if not found and sys.platform == "win32":
        import ctypes
        import locale

        found = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    elif not found and sys.platform == "darwin":
        import locale

        found = locale.getlocale()[0] or ""
    return found.split(":")


def _read(code: str) -> gettext.NullTranslations:
    return gettext.GNUTranslations(io.BytesIO(resources.read_bytes("assets", "languages", f"{code}.mo")))


def _header(code: str, wanted: str) -> str:
    """Return an entry of a catalogue's header, such as the name of the language; the code if there is none.

    The header is the first text of the catalogue; the others are not decoded.
    """
    data = resources.read_bytes("assets", "languages", f"{code}.mo")
    length, start = struct.unpack_from("<II", data, struct.unpack_from("<I", data, 16)[0])
    header = data[start : start + length].decode("utf-8")
    names = (line.partition(": ") for line in header.splitlines())
    return next((name for key, _, name in names if key == wanted), code)
