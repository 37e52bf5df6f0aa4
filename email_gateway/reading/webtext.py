"""The text of an HTML mail: one line per block, quoted parts marked as quoted."""

import html
import re
from html.parser import HTMLParser
from typing import NamedTuple

BLOCKS = {
    "address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
}  # fmt: skip
UNSEEN = {"script", "style", "head", "title", "template", "noscript", "object"}
# How the big mail programs mark the mail that is being answered.
QUOTE_MARKS = re.compile(
    r"gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|OLK_SRC_BODY_SECTION|protonmail_quote"
)
# Behind these nothing is the writer's own.
ANSWER_MARKS = re.compile(r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION")
HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d])", re.I
)
LONG_TAG = re.compile(r"<[a-z/!?][^<>]{2000,}>", re.I)
STRAY = re.compile(r"<(?![a-z/!?][^<>]*>)", re.I)
VOID = {"br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr"}


class Tag(NamedTuple):
    """An open tag, with what it and those around it do to the text inside: how deep it is quoted, whether it is out of
    sight, whether its line ends count."""

    name: str
    depth: int
    hidden: bool
    is_as_written: bool


OUTSIDE = Tag("", 0, hidden=False, is_as_written=False)


class WebText(HTMLParser):
    """Collects the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line = ""
        self.open: list[Tag] = []
        self.is_answer_over = False

    @property
    def inside(self) -> "Tag":
        return self.open[-1] if self.open else OUTSIDE

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS or tag == "br":
            self.end_line()
        if tag == "hr":
            self.end_line()
        if tag in ("td", "th") and self.line:
            self.line += " "
        if tag not in VOID and len(self.open) < 500:
            named = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
            hidden = any(is_hiding(name, value or "") for name, value in attrs)
            if ANSWER_MARKS.search(named):
                self.end_line()
                self.is_answer_over = True
            quoted = tag == "blockquote" or bool(QUOTE_MARKS.search(named))
            around = self.inside
            hidden = hidden or around.hidden or tag in UNSEEN
            self.open.append(Tag(tag, around.depth + quoted, hidden, around.is_as_written or tag == "pre"))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].name == tag:
                del self.open[place:]
                break

    def handle_data(self, data: str) -> None:
        if self.inside.hidden:
            return
        if self.inside.is_as_written:
            first, *rest = data.split("\n")
            self.line += first
            for more in rest:
                self.end_line(blank=True)
                self.line = more
        else:
            self.line += re.sub(r"[ \t\r\n\f]+", " ", data)

    def end_line(self, *, blank: bool = False) -> None:
        text = self.line.replace("\xa0", " ").rstrip()
        if text.strip() or blank:
            depth = max(self.inside.depth, self.is_answer_over)
            self.lines.append("> " * depth + (text if blank else text.strip()))
        self.line = ""


def is_hiding(name: str, value: str) -> bool:
    """Tell whether an attribute keeps what is inside from being seen."""
    return name == "hidden" or (name == "style" and bool(HIDDEN_STYLE.search(value)))


def tidy_tags(source: str) -> str:
    """Leave only tags that end, each of a sensible length: over others the parser takes the square of their number."""
    return STRAY.sub("&lt;", LONG_TAG.sub("", strike_comments(source)))


def strike_comments(source: str) -> str:
    first, *others = source.split("<!--")
    kept, open_since = [first], False
    for text in others:
        comment, end, rest = text.partition("-->")
        # The shortest comments, <!--> and <!--->, hold nothing.
        if not open_since and comment.startswith((">", "->")):
            end, rest = ">", text.partition(">")[2]
        kept += [rest] if end else []
        open_since = not end
    return "".join(kept)


def read_web_text(source: str) -> str:
    """Turn HTML into lines of text. What the parser cannot take is read with its tags struck out."""
    reader = WebText()
    try:
        reader.feed(tidy_tags(source))
        reader.close()
        reader.end_line()
    except Exception:  # Python's parser gives up on a few malformed declarations
        return html.unescape(re.sub(r"<[^>]{0,1000}>", "\n", source))
    return "\n".join(reader.lines)
