"""Replies as mail programs write them: styles of quoting, in many languages, around an email of ours."""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

SENDER = "Firetop Mountain"
ADDRESS = "fm@localhost"


@dataclass(frozen=True)
class Language:
    """How programs in one language introduce a quote: labels of headers, a moment, an attribution, a footer."""

    code: str
    labels: tuple[str, str, str, str]
    moment: str
    wrote: str
    mobile: str


def read_languages() -> list[Language]:
    rows = Path(__file__).with_name("languages.txt").read_text().splitlines()
    cells = [row.split(" | ") for row in rows]
    return [Language(code, (a, b, c, d), *rest) for code, a, b, c, d, *rest in cells]


LANGUAGES = read_languages()
# The parts of a reply: the writer's text, the email it answers, the language of the program.
Style = Callable[[str, str, Language], str]


def attribute(language: Language, sender: str = f"{SENDER} <{ADDRESS}>") -> str:
    return language.wrote.format(m=language.moment, s=sender)


def head(language: Language, mark: str = "", *, sender: str = f"{SENDER} <{ADDRESS}>", gap: str = "") -> str:
    values = (sender, language.moment, "Wil <wil@example.org>", "Challenge 3")
    return "\n".join(f"{mark}{label}{gap}:{mark} {value}" for label, value in zip(language.labels, values, strict=True))


def mark(text: str, sign: str = "> ") -> str:
    return "\n".join(f"{sign}{row}".rstrip() for row in text.split("\n"))


def rewrap(text: str, width: int) -> str:
    """Break lines as programs do that keep to a width."""
    rows = [part for row in text.split("\n") for part in (textwrap.wrap(row.strip(), width) or [""])]
    return "\n".join(rows)


STYLES: dict[str, Style] = {
    "outlook": lambda w, o, la: f"{w}\n\n{head(la)}\n\n{o}",
    "outlook underscores": lambda w, o, la: f"{w}\n\n________________________________\n{head(la)}\n\n{o}",
    "outlook dashes": lambda w, o, la: f"{w}\n\n-----Original Message-----\n{head(la, gap=' ')}\n\n{o}",
    "outlook bold": lambda w, o, la: f"{w}\n\n{head(la, '*')}\n\n{o}",
    "outlook, name alone": lambda w, o, la: f"{w}\n\n{head(la, sender=SENDER)}\n\n{o}",
    "outlook, spaced out": lambda w, o, la: (
        f"{w}\n\n{head(la).replace(chr(10), chr(10) * 2)}\n\n{o.replace(chr(10), chr(10) * 2)}"
    ),
    "outlook mobile": lambda w, o, la: f"{w}\n\nGet Outlook for iOS\n________________________________\n{head(la)}\n{o}",
    "gmail": lambda w, o, la: f"{w}\n\n{attribute(la)}\n\n{mark(o)}",
    "gmail, broken attribution": lambda w, o, la: f"{w}\n\n{rewrap(attribute(la), 40)}\n\n{mark(o)}",
    "gmail, bottom posted": lambda w, o, la: f"{attribute(la)}\n\n{mark(o)}\n\n{w}",
    "apple mail": lambda w, o, la: f"{w}\n\n{mark(attribute(la))}\n> \n{mark(o)}",
    "iphone": lambda w, o, la: f"{w}\n\n{la.mobile}\n\n{mark(attribute(la))}\n> \n{mark(o)}",
    "thunderbird": lambda w, o, la: f"{attribute(la, SENDER)}\n{mark(o)}\n{w}",
    "thunderbird, signed": lambda w, o, la: (
        f"{w}\n\n{attribute(la, SENDER)}\n{mark(o)}\n\n-- \nWil\nACCEPT is my motto"
    ),
    "yahoo": lambda w, o, la: f"{w}\n\n    {attribute(la)}\n\n {o.replace(chr(10), chr(10) + ' ')}",
    "no prefix at all": lambda w, o, la: f"{w}\n\n{o}",
    "attribution, no prefix": lambda w, o, la: f"{w}\n\n{attribute(la, SENDER)}\n\n{o}",
    "narrow": lambda w, o, la: f"{w}\n\n{head(la)}\n\n{rewrap(o, 40)}",
    "narrow marks": lambda w, o, la: f"{w}\n\n{attribute(la)}\n{mark(rewrap(o, 60))}",
    "marks, lines broken": lambda w, o, la: f"{w}\n\n{attribute(la)}\n{rewrap_marked(o, 70)}",
    "forwarded": lambda w, o, la: f"{w}\n\n---------- Forwarded message ---------\n{head(la)}\n\n{o}",
    "one line for a paragraph": lambda w, o, la: f"{w}\n\n{head(la)}\n\n{' '.join(o.split())}",
    "bars": lambda w, o, la: f"{w}\n\n{attribute(la)}\n{mark(o, '| ')}",
}


def rewrap_marked(text: str, width: int) -> str:
    """Break marked lines that are too long, whose ends then have no mark."""
    return "\n".join(part for row in mark(text).split("\n") for part in (textwrap.wrap(row, width) or [">"]))


# As HTML alone: the writer's words, the HTML of the email, the language.
HTML_STYLES: dict[str, Style] = {
    "gmail": lambda w, o, la: (
        f'{web(w)}<div class="gmail_quote"><div class="gmail_attr">{escape(attribute(la))}</div>'
        f'<blockquote class="gmail_quote">{o}</blockquote></div>'
    ),
    "outlook web": lambda w, o, la: f'{web(w)}<hr><div id="divRplyFwdMsg">{web(head(la))}</div><div>{o}</div>',
    "outlook desktop": lambda w, o, la: (
        f'{web(w)}<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt"><p>{web(head(la))}</p></div>{o}'
    ),
    "apple": lambda w, o, la: f'{web(w)}<br><blockquote type="cite">{escape(attribute(la))}<br>{o}</blockquote>',
    "yahoo": lambda w, o, la: f'{web(w)}<div class="yahoo_quoted">{web(attribute(la))}{o}</div>',
    "bare": lambda w, o, la: f"{web(w)}<br><br>{o}",
}
# Those in which a line was inserted into the quoted email.
INSERTED_HTML_STYLES: dict[str, Style] = {
    **HTML_STYLES,
    "outlook mac": lambda w, o, la: (
        f'{web(w)}<div id="mail-editor-reference-message-container">{web(head(la))}{o}</div>'
    ),
    "outlook mobile": lambda w, o, la: (
        f'{web(w)}<div id="ms-outlook-mobile-signature"></div><hr>{web(head(la, "*"))}{o}'
    ),
    "thunderbird": lambda w, o, la: (
        f'<div class="moz-cite-prefix">{escape(attribute(la))}<br></div><blockquote type="cite" cite="mid:1@x">{o}'
        f"</blockquote>{web(w)}"
    ),
    "proton": lambda w, o, la: (
        f'{web(w)}<div class="protonmail_quote">{escape(attribute(la))}<br><blockquote class="protonmail_quote" '
        f'type="cite">{o}</blockquote><br></div>'
    ),
    "tuta": lambda w, o, la: (
        f'{web(w)}<br>{escape(attribute(la))}<br><blockquote class="tutanota_quote">{o}</blockquote>'
    ),
    "fastmail": lambda w, o, la: (
        f'{web(w)}<div>{escape(attribute(la))}</div><blockquote type="cite" id="qt">{o}</blockquote>'
    ),
    "gmx": lambda w, o, la: (
        f'{web(w)}<div name="quote" style="margin:10px 5px;padding:10px 0;border-left:2px solid #C3D9E5">'
        f'<div>{web(head(la, "*"))}</div><div name="quoted-content">{o}</div></div>'
    ),
    "roundcube": lambda w, o, la: (
        f'{web(w)}<p id="reply-intro">{escape(attribute(la))}</p><blockquote type="cite" style="padding:0 0.4em">{o}'
        f"</blockquote>"
    ),
    "zimbra": lambda w, o, la: (
        f'{web(w)}<hr id="zwchr"><div data-marker="__HEADERS__">{web(head(la))}</div><div>{o}</div>'
    ),
    "samsung": lambda w, o, la: (
        f'{web(w)}<div id="composer_signature"></div><div>-------- Original message --------</div>{web(head(la))}{o}'
    ),
    "spark": lambda w, o, la: (
        f'{web(w)}<div name="messageReplySection">{escape(attribute(la))}<blockquote>{o}</blockquote></div>'
    ),
    "evolution": lambda w, o, la: f'<div>{escape(attribute(la))}</div><blockquote type="cite">{o}</blockquote>{web(w)}',
    "kmail": lambda w, o, la: (
        f'<p>{escape(attribute(la))}</p><blockquote style="border-left:2px solid">{o}</blockquote>{web(w)}'
    ),
    "notes": lambda w, o, la: f'{web(w)}<br><font size="1">{web(head(la))}</font><br>{o}',
    "mail.ru": lambda w, o, la: (
        f'{web(w)}<blockquote style="border-left:1px solid #08C">{web(attribute(la))}<div>{o}</div></blockquote>'
    ),
    "yandex": lambda w, o, la: f"{web(w)}<div>{escape(attribute(la))}</div><blockquote><div>{o}</div></blockquote>",
    "qq": lambda w, o, la: (
        f"{web(w)}<div>------------------&nbsp;Original&nbsp;------------------</div>{web(head(la))}<div>{o}</div>"
    ),
    "netease": lambda w, o, la: (
        f'{web(w)}<div id="isReplyContent"><p>{escape(attribute(la))}</p>'
        f'<blockquote id="isReplyContent">{o}</blockquote></div>'
    ),
    "zoho": lambda w, o, la: (
        f'{web(w)}<div class="zmail_extra">{web("---- " + attribute(la))}<blockquote>{o}</blockquote></div>'
    ),
    "icloud": lambda w, o, la: (
        f'{web(w)}<br><blockquote type="cite"><div>{escape(attribute(la))}</div><br><div>{o}</div></blockquote>'
    ),
}
# What editors do to the quoted HTML.
EDITORS: dict[str, Callable[[str], str]] = {
    "as it was": lambda html: html,
    "lines as blocks": lambda html: rewrite_pre(
        html, lambda rows: "".join(f"<div>{row or '<br>'}</div>" for row in rows)
    ),
    "lines as paragraphs": lambda html: rewrite_pre(
        html, lambda rows: "".join(f'<p class="MsoNormal">{row or "&nbsp;"}</p>' for row in rows)
    ),
    "lines with breaks": lambda html: rewrite_pre(html, "<br>".join),
    "hidden text shown": lambda html: html.replace("display:none", "").replace("max-height:0", ""),
}


def rewrite_pre(html: str, write: Callable[[list[str]], str]) -> str:
    return re.sub(r"<pre[^>]*>(.*?)</pre>", lambda pre: f"<div>{write(pre[1].split(chr(10)))}</div>", html, flags=re.S)


def web(text: str) -> str:
    return "".join(f"<div>{escape(row) or '<br>'}</div>" for row in text.split("\n"))
