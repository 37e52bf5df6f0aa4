"""Open Graph tags: the preview that other sites show for a link to a page."""

from dataclasses import dataclass
from typing import Self

from django.conf import settings


@dataclass(frozen=True)
class Card:
    """Title, description, picture and address of a page, with absolute addresses; `alt` describes the picture.

    Everyone gets the same card, so it contains only public facts. `is_embeddable`: other sites can show what is on
    the page in a frame, and learn how by oEmbed.
    """

    title: str
    description: str
    image: str
    alt: str
    url: str
    is_embeddable: bool = False

    @classmethod
    def of(cls, *, title: str, description: str, image: str, alt: str, path: str, is_embeddable: bool = False) -> Self:
        site = settings.FM_SITE_URL
        return cls(title, description, f"{site}{image}", alt, f"{site}{path}", is_embeddable)
