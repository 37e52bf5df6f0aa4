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
# Marks by which major mail programs quote the email being answered.
QUOTE_MARKS = re.compile(
    r"gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|OLK_SRC_BODY_SECTION|protonmail_quote"
)
# After these nothing is the writer's own.
ANSWER_MARKS = re.compile(r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION")
# Marks by which they set off the writer's signature.
SIGNATURE_MARKS = re.compile(r"signature", re.I)
# What crosses text out: its writer took it back.
STRUCK = {"del", "s", "strike"}
STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through", re.I)
STRUCK_TAG = re.compile(r"<(?:(?:del|s|strike)(?![\w-])|[^<>]*line-through)", re.I)
# Styles that hide text: not displayed, no room for it, or letters of two pixels or less.
HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|"
    r"font(?:-size)?\s*:[^;]*(?<![\d.])(?:[0-2](?:\.\d+)?|\.\d+)(?:px|pt)|font-size\s*:\s*0(?![.\d])|"
    r"font-size\s*:\s*(?:0?\.[01]\d*r?em|(?:1?\d|20)(?:\.\d+)?%)|"
    r"opacity\s*:\s*(?:0|0?\.0\d*)\s*(?:[;!]|$)|(?<![a-z])max-(?:height|width)\s*:\s*[01](?:px|pt|em)?\s*(?:[;!]|$)|"
    r"(?<![a-z-])(?:height|width)\s*:\s*[01](?:px|pt)?\s*(?:[;!]|$)(?=.*overflow\s*:\s*hidden)|"
    r"overflow\s*:\s*hidden.*(?<![a-z-])(?:height|width)\s*:\s*[01](?:px|pt)?\s*(?:[;!]|$)|"
    r"(?:text-indent|left|top|margin-left|margin-top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|"
    r"clip-path\s*:\s*inset\(\s*(?:50|100)%|transform\s*:\s*scale\(\s*0",
    re.I | re.S,
)
FOREGROUND = re.compile(r"(?:^|[;\s])color\s*:\s*([^;!]+)", re.I)
BACKGROUND = re.compile(r"(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]+)", re.I)
STYLED = re.compile(r"([.#][\w-]{1,60})\s*(?:,[^{}]{0,200})?\{([^{}]{0,500})\}")
# Styles for dark screens or paper, which do not show how the email normally looks.
ELSEWHERE = re.compile(
    r"@media[^{}]{0,200}\b(?:dark|print)\b[^{}]{0,200}\{(?:[^{}]{0,300}\{[^{}]{0,1000}\}){0,60}[^{}]{0,300}\}", re.I
)
NAMED_COLOURS = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240)}
WHITE = (255, 255, 255)
# The least difference between text and background, in each of red, green and blue, that is readable.
READABLE = 24
Colour = tuple[int, int, int]
LONG_TAG = re.compile(r"<[a-z/!?][^<>]{2000,}>", re.I)
LONG_NUMBER = re.compile(r"(&#\d{7})\d+")
STRAY = re.compile(r"<(?![a-z/!?][^<>]*>)", re.I)
VOID = {"br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr"}


class Tag(NamedTuple):
    """An open tag, with the combined effect of it and those around it on the text inside: depth of quoting, hidden or
    not, whether line ends count, and colours. Black on white is the default."""

    name: str
    depth: int
    hidden: bool
    is_as_written: bool
    colour: Colour | None = None
    ground: Colour = WHITE


OUTSIDE = Tag("", 0, hidden=False, is_as_written=False)


class WebText(HTMLParser):
    """Collects the text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line = ""
        self.open: list[Tag] = []
        self.is_answer_over = False
        # The styles of a class or id in style sheets, by selector.
        self.styles: dict[str, str] = {}

    @property
    def inside(self) -> "Tag":
        return self.open[-1] if self.open else OUTSIDE

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "p":
            self.end_line()
            self.leave_space(attrs)
        elif tag in BLOCKS or tag == "br":
            self.end_line(blank=tag == "br" or "\xa0" in self.line)
        if tag == "hr":
            self.end_line()
        if tag in ("td", "th") and self.line:
            self.line += " "
        if tag not in VOID and len(self.open) < 500:
            named = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
            style = ";".join([*(self.styles.get(one, "") for one in list_selectors(attrs)), read_style(tag, attrs)])
            hidden = bool(HIDDEN_STYLE.search(style)) or any(name == "hidden" for name, _ in attrs)
            hidden = hidden or tag in STRUCK or bool(STRUCK_STYLE.search(style))
            if SIGNATURE_MARKS.search(named):
                self.end_line()
                self.leave_space(attrs)
            if ANSWER_MARKS.search(named):
                self.end_line()
                self.is_answer_over = True
            quoted = tag == "blockquote" or bool(QUOTE_MARKS.search(named))
            around = self.inside
            colour, ground = read_colour(FOREGROUND, style) or around.colour, read_colour(BACKGROUND, style)
            ground = ground or around.ground
            hidden = hidden or around.hidden or tag in UNSEEN
            as_written = around.is_as_written or tag == "pre"
            self.open.append(Tag(tag, around.depth + quoted, hidden, as_written, colour, ground))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line(blank="\xa0" in self.line)
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].name == tag:
                del self.open[place:]
                break

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].name == "style":
            self.styles.update(STYLED.findall(ELSEWHERE.sub("", data)))
        if self.inside.hidden or is_faint(self.inside):
            return
        if self.inside.is_as_written:
            first, *rest = data.split("\n")
            self.line += first
            for more in rest:
                self.end_line(blank=True)
                self.line = more
        else:
            self.line += re.sub(r"[ \t\r\n\f]+", " ", data)

    def leave_space(self, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph or a signature: there is space above it, except in programs that make each line a
        paragraph."""
        is_line = any("msonormal" in (value or "").lower() for name, value in attrs if name == "class")
        if self.lines and self.lines[-1] and not is_line and not self.inside.depth:
            self.lines.append("")

    def end_line(self, *, blank: bool = False) -> None:
        text = self.line.replace("\xa0", " ").rstrip()
        if text.strip() or blank:
            depth = max(self.inside.depth, self.is_answer_over)
            self.lines.append("> " * depth + (text if blank else text.strip()))
        self.line = ""


def list_selectors(attrs: list[tuple[str, str | None]]) -> list[str]:
    """Return the selectors of a tag in a style sheet: its classes and id."""
    signs = {"class": ".", "id": "#"}
    return [signs[name] + one for name, value in attrs if name in signs for one in (value or "").split()[:20]]


def read_style(tag: str, attrs: list[tuple[str, str | None]]) -> str:
    """Return a tag's style, including old attributes."""
    values = {name: (value or "")[:2000] for name, value in attrs}
    parts = [values.get("style", "")]
    if "bgcolor" in values:
        parts.append(f"background-color:{values['bgcolor']}")
    if tag == "font" and "color" in values:
        parts.append(f"color:{values['color']}")
    return ";".join(parts)


def read_colour(of: re.Pattern[str], style: str) -> Colour | None:
    """Return the last colour that a style gives; None if there is none, or we cannot read it."""
    colours = of.findall(style)
    word = colours[-1].strip().lower() if colours else ""
    if word.startswith("#"):
        digits = word[1:].split(" ")[0]
        digits = "".join(2 * one for one in digits[:3]) if len(digits) in (3, 4) else digits[:6]
        if re.fullmatch(r"[0-9a-f]{6}", digits):
            return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    numbers = re.findall(r"[\d.]+", word)
    if word.startswith("rgb") and len(numbers) >= 3:
        red, green, blue = (min(255, int(float(one))) for one in numbers[:3])
        return red, green, blue
    return NAMED_COLOURS.get(word.split(" ")[0])


def is_faint(tag: Tag) -> bool:
    pairs = zip(tag.colour or (), tag.ground, strict=False)
    return tag.colour is not None and all(abs(one - other) < READABLE for one, other in pairs)


def tidy_tags(source: str) -> str:
    """Leave only tags that end, each of a sensible length: the parser takes quadratic time for others."""
    return STRAY.sub("&lt;", LONG_TAG.sub("", strike_comments(shorten_numbers(source))))


def shorten_numbers(source: str) -> str:
    """Cut the numbers of characters to seven digits: Python refuses to read those of thousands."""
    return LONG_NUMBER.sub(r"\1", source)


def strike_comments(source: str) -> str:
    first, *others = source.split("<!--")
    kept, open_since = [first], False
    for text in others:
        comment, end, rest = text.partition("-->")
        # The shortest comments, <!--> and <!--->, are empty.
        if not open_since and comment.startswith((">", "->")):
            end, rest = ">", text.partition(">")[2]
        kept += [rest] if end else []
        open_since = not end
    return "".join(kept)


def crosses_out(source: str) -> bool:
    """Return whether HTML crosses out a part of its text."""
    return bool(STRUCK_TAG.search(source))


def read_web_text(source: str) -> str:
    """Turn HTML into lines of text, without what is hidden or crossed out. If the parser fails, tags are simply
    removed."""
    reader = WebText()
    try:
        reader.feed(tidy_tags(source))
        reader.close()
        reader.end_line()
    except Exception:  # Python's parser gives up on a few malformed declarations
        return html.unescape(re.sub(r"<[^>]{0,1000}>", "\n", shorten_numbers(source)))
    return "\n".join(reader.lines)
