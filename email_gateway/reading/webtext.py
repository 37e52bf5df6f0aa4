"""The text of an HTML mail: one line per block, quoted parts marked as quoted."""

import html
import re
from html.parser import HTMLParser

BLOCKS = {
    "address", "article", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
}  # fmt: skip
UNSEEN = {"script", "style", "head", "title", "template", "noscript", "object"}
# How the big mail programs mark the mail that is being answered.
QUOTE_MARKS = re.compile(
    r"gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|OLK_SRC_BODY_SECTION|protonmail_quote"
)
VOID = {"br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr"}


class WebText(HTMLParser):
    """Collects the text. `depth` of quoting rises inside a blockquote or a block that mail programs mark as quoted."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line = ""
        self.open: list[tuple[str, bool, bool]] = []

    @property
    def depth(self) -> int:
        return sum(quoted for _, quoted, _ in self.open)

    @property
    def hidden(self) -> bool:
        return any(unseen for _, _, unseen in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS or tag == "br":
            self.end_line()
        if tag == "hr":
            self.end_line()
        if tag in ("td", "th") and self.line:
            self.line += " "
        if tag not in VOID and len(self.open) < 500:
            named = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
            quoted = tag == "blockquote" or bool(QUOTE_MARKS.search(named))
            self.open.append((tag, quoted, tag in UNSEEN))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place][0] == tag:
                del self.open[place:]
                break

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if any(tag == "pre" for tag, _, _ in self.open):
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
            self.lines.append("> " * self.depth + (text if blank else text.strip()))
        self.line = ""


def read_web_text(source: str) -> str:
    """Turn HTML into lines of text. What the parser cannot take is read with its tags struck out."""
    reader = WebText()
    try:
        reader.feed(source)
        reader.close()
        reader.end_line()
    except Exception:  # Python's parser gives up on a few malformed declarations
        return html.unescape(re.sub(r"<[^>]{0,1000}>", "\n", source))
    return "\n".join(reader.lines)
