"""Hull numbers and radio identities."""

import re

from amber_wrap.annotate.annotator import Annotation

HULL_NUMBER = r"(?<!\w)[A-Z]{2}-[A-Z]{3}[A-Z0-9]{5}[A-L]\d{3}(?!\w)"
COUNTRIES = {"FR", "GB", "IT", "NL", "PL", "US"}


def hull_numbers(text):
    """A function of a text: where it holds hull numbers of real countries."""
    found = re.finditer(HULL_NUMBER, text)
    return [match.span() for match in found if match[0][:2] in COUNTRIES]


hull_numbers.pattern = HULL_NUMBER


class RadioIdentities:
    """A class, since it looks at the page: nine digits in an attribute of their own."""

    def __init__(self, type):
        self.type = type

    def annotate(self, page, texts):
        for node in page.elements():
            shown = page.source_text(node, "@data-mmsi")
            if len(shown) == 9 and shown.isdigit():
                yield Annotation(
                    node, "@data-mmsi", 0, 9, self.type, shown, shown, "radio-identity"
                )
