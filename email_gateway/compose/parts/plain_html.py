"""The HTML part of emails without tables."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from email_gateway.compose.parts.mail_links import MailLink

# A line this long continues in the next one; a shorter one ends there.
FULL = 50
# Words with a colon, and indented rows right below them.
LISTED = re.compile(r"(?:\S.*\n)*\S.*:(?:\n  .*)+")
# The second row of a table, at least: words, a gap, words.
COLUMNS = re.compile(r"\n\S.*\S {2,}\S")


def render_plain(
    *,
    heading: str,
    parts: Sequence[str],
    button: tuple[str, str] | None = None,
    mail_links: Sequence[MailLink] = (),
    below: Sequence[str] = (),
    preheader: str = "",
) -> str:
    """Return the words as a simple table: `parts`, the buttons, then `below`. Indented lines after an empty one become
    a block; the state of a battle is one block. `preheader` is what a list of emails shows next to the subject."""
    context = {
        "heading": heading,
        "blocks": [split_block(part) for part in parts],
        "preheader": preheader,
        "mail_links": mail_links,
        "button": button and {"words": button[0], "link": button[1]},
        "below": [split_block(part) for part in below],
    }
    return render_to_string("email_gateway/plain_mail.html", context)


def render_several(
    *,
    heading: str,
    mails: Sequence[tuple[str, str, Sequence[Mapping[str, str]]]],
    footer: str,
    button: tuple[str, str],
    preheader: str,
) -> str:
    """Return several emails, each a subject, its plain text and the buttons that begin a reply, below each other."""
    blocks: list[dict[str, Any]] = []
    for subject, text, links in mails:
        # A paragraph that begins with a space belongs to the one before it.
        parts = [split_block(part) for part in re.split(r"\n\n(?! )", text.strip("\n"))]
        blocks += [{"title": subject}, *parts, {"links": links}]
    context = {
        "heading": heading,
        "blocks": blocks,
        "button": {"words": button[0], "link": button[1]},
        "below": [split_block(part) for part in footer.split("\n\n")],
        "preheader": preheader,
    }
    return render_to_string("email_gateway/plain_mail.html", context)


def split_block(part: str) -> dict[str, str]:
    """Separate the words of an email from the indented lines below them. Columns are all rows."""
    words, _, block = part.partition("\n\n  ")
    if (block and (words.startswith(" ") or "\n " in words)) or (not block and COLUMNS.search(part)):
        return {"words": "", "rows": link_own_pages(part)}
    if not block and LISTED.fullmatch(part):
        words, block = re.split(r"\n  ", part, maxsplit=1)
    rows = "\n".join(row.removeprefix("  ") for row in block.split("\n")) if block else ""
    return {"words": link_own_pages(flow(words)), "rows": link_own_pages(rows)}


def render_tables(*, heading: str, parts: Sequence[str], mail_links: Sequence[MailLink] = ()) -> str:
    """Return an answer as HTML: sentences as they are, columns in a fixed width, then the buttons."""
    blocks = [split_tables(part) for part in parts]
    context = {"heading": heading, "blocks": blocks, "mail_links": mail_links}
    return render_to_string("email_gateway/plain_mail.html", context)


def flow(paragraph: str) -> str:
    """Return sentences without the line ends of plain text, for narrow screens; anything else unchanged."""
    *rows, last = paragraph.split("\n")
    in_sentences = all(len(row) >= FULL and "://" not in row for row in rows)
    return " ".join([*rows, last]) if in_sentences and "  " not in paragraph else paragraph


def link_own_pages(text: str) -> SafeString:
    """Return a text as HTML with links only to addresses of this site."""
    start = re.escape(escape(settings.FM_SITE_URL))
    link = r'<a class="link" href="\g<0>" style="color:#14201f;">\g<0></a>'
    return mark_safe(re.sub(rf"{start}/[^\s<]*[^\s<.,;:)]", link, escape(text)))


def split_tables(part: str) -> dict[str, str]:
    """Return whether a part of an answer is sentences or columns."""
    in_columns = "\n" in part and ("  " in part or "\n >" in part)
    html = link_own_pages(part if in_columns else flow(part))
    return {"words": "" if in_columns else html, "rows": html if in_columns else ""}
