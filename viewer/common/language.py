"""The language of every text that a user sees."""

import gettext

_catalogue = gettext.NullTranslations()


def tr(text: str) -> str:
    """The text in the user's language; as it is where the catalogue does not have it.

    The English text is the key. Values are put in afterwards: `tr("{name} saved").format(name=name)`.
    """
    return _catalogue.gettext(text) if text else ""
