"""Arms in emails: small PNGs within the message, so that nothing is loaded from elsewhere.

The address of a picture in the HTML part is its blazon, which says all that is drawn: whoever makes the message finds
them there. The name stands beside each, so an email without pictures says the same.
"""

import re
from base64 import b64encode
from email.mime.image import MIMEImage

from accounts.arms.raster import write_png

ADDRESS = re.compile(r'src="cid:(arms-((?:[lrd][mub])[0-9A-Za-z]+)@firetop)"')
SIZE, PIXELS = 24, 48


def make_arms_parts(html: str) -> list[MIMEImage]:
    """Return the pictures that an HTML part refers to, each once, as parts of the message."""
    parts = []
    for address, blazon in dict(ADDRESS.findall(html)).items():
        part = MIMEImage(write_png(blazon, PIXELS, shown_at=SIZE), "png")
        part.add_header("Content-ID", f"<{address}>")
        part.add_header("Content-Disposition", "inline", filename="arms.png")
        parts.append(part)
    return parts


def embed_arms(html: str) -> str:
    """Return an HTML part with its pictures in it, for a page that has nothing else of the message."""

    def draw(found: re.Match[str]) -> str:
        picture = b64encode(write_png(found[2], PIXELS, shown_at=SIZE)).decode()
        return f'src="data:image/png;base64,{picture}"'

    return ADDRESS.sub(draw, html)
