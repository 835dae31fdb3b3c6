"""The page around the results: head, header, search form, side bars, footer."""

from __future__ import annotations

from random import Random

from markupsafe import Markup

from synthetic.boxes import Site
from synthetic.chance import Style, drawn, stream, weighted
from synthetic.markup import macros
from synthetic.vocabulary import styles

SLOTS = ("top", "side", "below", "foot")


class Frame(Style):
    """The template of the pages of a site; `boxes` names those in each slot.

    The `side` bar is "left", "right" or "".
    """

    def random(self, part: str) -> Random:
        """Return the choices of a part: the same on all pages of the site."""
        return stream(self.key, part)

    @property
    def language(self) -> str | None:
        """The language that pages declare, None where they declare none."""
        return self.random("language").choice(("en", "en-GB", "en-gb", None))


def draw_frame(key: str, domain: str, noisy: bool) -> Frame:
    """Draw the template of a site; only a `noisy` one has boxes that name amounts."""
    rng = stream(key, "frame")
    side = weighted(rng, {"left": 36, "right": 30, "": 34})
    slots: dict[str, list[str]] = {slot: [] for slot in SLOTS}
    place_boxes = styles()["place-boxes"]
    boxes = {**place_boxes, **(styles()["price-boxes"] if noisy else {})}
    for name, share in boxes.items():
        if rng.random() < share:
            slot = weighted(rng, {"top": 5, "side": 40, "below": 25, "foot": 30})
            slot = "foot" if name == "offices" and rng.random() < 0.7 else slot
            slots["below" if slot == "side" and not side else slot].append(name)
    if not any(name in place_boxes for names in slots.values() for name in names):
        slots["foot"].append("towns")
    return Frame(
        key=key,
        side=side,
        boxes=tuple((slot, tuple(names)) for slot, names in slots.items()),
        **drawn(rng, "frame"),
        form_prices=noisy and rng.random() < styles()["form-prices"][domain],
        **drawn(rng, "frame-details"),
    )


def page(site: Site, rng: Random, title: str, results: Markup) -> Markup:
    """Return a whole page around its results."""
    frame, hand = site.frame, site.hand
    make, parts = macros("boxes"), macros("frame")
    boxes = {
        slot: [getattr(make, name)(site, rng) for name in names]
        for slot, names in frame.boxes
    }
    form = parts.form(frame, site)
    if form and not frame.side and not boxes["top"]:
        boxes["top"].append(form)
    elif form:
        boxes["side" if frame.side else "top"].insert(0, form)
    declares = hand.declares or hand.encoding == "utf-8"
    encoding = "utf-8" if hand.encoding == "utf-8" else "iso-8859-1"
    number = rng.randint(1, 9)
    declared = encoding if declares else ""
    return parts.page(frame, site, title, results, boxes, number, declared)
