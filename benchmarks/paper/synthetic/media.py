"""The pictures of records: plain, lazy, of several sizes, drawn as a background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from synthetic.chance import stream, weighted
from synthetic.naming import Naming
from synthetic.offer import Offer
from synthetic.tree import Element, h

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="


@dataclass(frozen=True, slots=True)
class MediaStyle:
    """How a template shows the picture of a record; "none": not at all."""

    form: str
    folder: str
    sized: bool
    described: bool
    counted: bool
    """Whether the number of photos stands below."""


def draw_media_style(key: str) -> MediaStyle:
    """The style of one template."""
    rng = stream(key, "media")
    return MediaStyle(
        form=weighted(
            rng,
            {
                "img": 46,
                "lazy": 20,
                "background": 9,
                "picture": 7,
                "gallery": 8,
                "none": 10,
            },
        ),
        folder=rng.choice(
            ("/images/", "/media/thumbs/", "//cdn.example/p/", "/upload/")
        ),
        sized=rng.random() < 0.4,
        described=rng.random() < 0.6,
        counted=rng.random() < 0.2,
    )


def picture(style: MediaStyle, names: Naming, offer: Offer) -> Element | None:
    """The picture of an offer."""
    source = f"{style.folder}{offer.number}.jpg"
    alternative = offer.alternative if style.described else ""
    size: dict[str, Any] = {"width": "240", "height": "160"} if style.sized else {}
    plain = h("img", src=source, alt=alternative, **size)
    match style.form:
        case "none":
            return None
        case "lazy":
            image = h(
                "img",
                src=PIXEL,
                data_src=source,
                alt=alternative,
                class_="lazyload",
                **size,
            )
        case "background":
            image = h("span", style=f"background-image:url({source})", role="img")
        case "picture":
            webp = h(
                "source", srcset=source.replace(".jpg", ".webp"), type="image/webp"
            )
            image = h("picture", webp, plain)
        case "gallery":
            more = [
                h("img", src=f"{style.folder}{offer.number}-{n}.jpg", alt="")
                for n in (2, 3)
            ]
            image = h("span", plain, more, **names.of("wrapper"))
        case _:
            image = plain
    if style.counted:
        count = h("span", f"{offer.number % 9 + 3} photos", **names.of("label"))
        return h("span", image, count)
    return image
