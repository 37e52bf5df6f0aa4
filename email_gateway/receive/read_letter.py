"""Reads an email: its subject, its text and the few headers that matter, from arbitrary bytes.

Nothing here raises on bad input: undecodable bytes are replaced, and anything too deep or too long is left out. The
time is bounded. Python's parser takes quadratic time for some headers, and looks at every line once for each level of
parts around it, so the bytes are first cut to what a person would send.
"""

import codecs
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from typing import Literal

from email_gateway.commands import is_order
from email_gateway.text.letter import Letter, make_storable
from email_gateway.text.quotes import CLEAR_ORDER
from email_gateway.text.webtext import crosses_out, read_web_text

MOST_LINES = 50_000
# Levels and rows of parts together.
MOST_MULTIPARTS = 20
LONGEST_CONTENT_HEADER = 1000
MULTIPART = re.compile(rb"^content-type:\s*multipart/", re.I | re.M)
CONTENT_HEADER = re.compile(rb"^content-[a-z-]{1,40}:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)

MOST_TEXT = 200_000
MOST_WEB_TEXT = 400_000
MOST_PARTS = 100
DEEPEST_PART = 12
LONGEST_HEADER = 4000
LONGEST_ADDRESS_HEADER = 500
# Python codecs that are not charsets of email, or that take more than linear time.
NOT_CHARSETS = {"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
LATIN_1 = codecs.lookup("latin-1").name
TEXTS = ("text/plain", "text/html", "text/markdown")
# Attachments that may be orders, unlike pictures and signatures.
DOCUMENT = re.compile(r"message/rfc822|text/(?!calendar|x-vcard|vcard)|application/(?!pgp|pkcs7|x-pkcs7|ms-tnef)")
SIGNATURE = "-- "
ENCODED = re.compile(r"[A-Za-z0-9+/]*={0,2}")
# No mail program breaks a line before these columns, if the next word fits in.
FIRST_BREAK = 60
# The first of the letters that take two columns: Korean, and beyond it Chinese and Japanese.
FIRST_WIDE = "\u1100"
# Line breaks besides the usual ones: of pasted text, and of old word processors.
LINE_BREAK = re.compile("[\u2028\u2029\x0b\x0c]")


def parse_headers(raw: bytes) -> Message:
    """Parse only the headers of an email; its body stays one text."""
    head = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")[0]
    return BytesHeaderParser(policy=policy.compat32).parsebytes(head)


def parse_mail(raw: bytes) -> Message:
    """Parse bytes into Python's older, forgiving message class, which reads headers only when needed.

    Lines after 50,000 are ignored. An email with more than 20 multiparts counts as empty.
    """
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", MOST_LINES)
    text = CONTENT_HEADER.sub(cut_header, b"\n".join(lines[:MOST_LINES]))
    if len(MULTIPART.findall(text)) > MOST_MULTIPARTS:
        return parse_headers(raw)
    try:
        return message_from_bytes(text, policy=policy.compat32)
    except Exception:  # the parser fails on some broken MIME; the letter then has no content
        return Message()


def cut_header(match: "re.Match[bytes]") -> bytes:
    header = match.group()
    return header if len(header) <= LONGEST_CONTENT_HEADER else header[:LONGEST_CONTENT_HEADER].rstrip()


def read_letter(message: Message, *, is_plain_passed_over: bool = False) -> Letter:
    """Read the email's text. Works for every message that `parse_mail` can return.

    `is_plain_passed_over`: HTML counts where there is any, and plain text only where there is none.
    """
    text, source = read_web_first(message) if is_plain_passed_over else read_text(message)
    return Letter(
        subject=read_header(message, "Subject"),
        text=text,
        source=source,
        sender=read_address(read_header(message, "From")),
        message_id=first_id(read_header(message, "Message-ID")),
        references=read_references(message),
        date=read_header(message, "Date"),
        has_attachment=any(True for _ in find_documents(message)),
    )


def read_header(message: Message, name: str) -> str:
    """Return one header decoded, on one line; "" if absent. The first of several counts."""
    value = message.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        value = value[:LONGEST_HEADER]
    try:
        pieces = [decode_bytes(piece, charset) for piece, charset in decode_header(value)]
    except (HeaderParseError, ValueError, TypeError, LookupError):
        pieces = [str(value)]
    return re.sub(r"\s+", " ", make_storable("".join(pieces))).strip()[:2000]


def read_references(message: Message) -> tuple[str, ...]:
    """Return the last twenty Message-IDs of the email's thread, ending with the one it answers."""
    thread, answered = (
        re.findall(r"<[^<>\s]{1,250}>", read_header(message, name)) for name in ("References", "In-Reply-To")
    )
    return tuple(dict.fromkeys([*(one for one in thread if one not in answered), *answered]))[-20:]


def read_address(header: str) -> str:
    """Return the first address of a header, in lower case; blank when there is none."""
    try:
        return parseaddr(header[:LONGEST_ADDRESS_HEADER])[1].lower()
    except RecursionError:  # comments inside comments
        return ""


def first_id(header: str) -> str:
    message_id = re.search(r"<[^<>\s]{1,250}>", header)
    return message_id.group() if message_id else ""


def decode_bytes(data: bytes | str, charset: str | None) -> str:
    """Decode by the named charset, otherwise as UTF-8, otherwise as Windows-1252. Latin-1 is a name for Windows-1252,
    as in browsers: many who name it write its dashes and quotation marks."""
    if isinstance(data, str):
        return data
    for name in (charset, "utf-8", "cp1252"):
        if name and name.lower().replace("-", "_") not in NOT_CHARSETS:
            try:
                return data.decode("cp1252" if codecs.lookup(name).name == LATIN_1 else name)
            except (LookupError, UnicodeError, ValueError):
                continue
    return data.decode("latin-1")


def read_text(message: Message) -> tuple[str, Literal["plain", "html", "none"]]:
    """Return the text a person wrote: the plain parts, or the HTML ones if those are empty.

    HTML above the first plain text is read too, unless they are alternatives: mail systems add plain text below.
    """
    texts = choose_alternatives(message, web=False)
    first = next((place for place, (is_web, _) in enumerate(texts) if not is_web), len(texts))
    web, plain = [text for _, text in texts[:first]], [text for is_web, text in texts[first:] if not is_web]
    above = [read_web_text(text) for text in cut_texts(web, MOST_WEB_TEXT)]
    if " ".join(above).split() == " ".join(plain).split():  # the same text twice
        above = []
    return join_texts([*above, *plain]), "plain" if plain else "html" if web else "none"


def read_web_first(message: Message) -> tuple[str, Literal["plain", "html", "none"]]:
    """Return the text of the HTML parts, and of the plain ones that are no alternative to them."""
    texts = choose_alternatives(message, web=True)
    web = cut_texts([text for is_web, text in texts if is_web], MOST_WEB_TEXT)
    read = [read_web_text(next(web)) if is_web else text for is_web, text in texts]
    return join_texts(read), "html" if any(is_web for is_web, _ in texts) else "plain" if texts else "none"


def choose_alternatives(message: Message, *, web: bool) -> list[tuple[bool, str]]:
    """Return the text parts that are not empty, each with whether it is HTML. Where HTML and plain text are
    alternatives, only the HTML, or only the plain text."""
    parts = [(group, content_type(part) == "text/html", read_part(part)) for part, group in find_text_parts(message)]
    settled = {group for group, is_web, text in parts if group and is_web == web and text.strip()}
    return [(is_web, text) for group, is_web, text in parts if text.strip() and (is_web == web or group not in settled)]


def has_web_text(message: Message) -> bool:
    """Return whether an email has an HTML part that is not attached."""
    return any(content_type(part) == "text/html" for part, _ in find_text_parts(message))


def has_struck_text(message: Message) -> bool:
    """Return whether an HTML part crosses out text, which plain text has no mark for."""
    return any(
        content_type(part) == "text/html" and crosses_out(read_part(part)[:MOST_WEB_TEXT])
        for part, _ in find_text_parts(message)
    )


def join_texts(texts: list[str]) -> str:
    return LINE_BREAK.sub("\n", "\n".join(texts)[:MOST_TEXT])


def cut_texts(texts: list[str], most: int) -> Iterator[str]:
    """Yield the texts, up to `most` characters in total."""
    for text in texts:
        yield text[:most]
        most = max(0, most - len(text))


def find_text_parts(message: Message) -> Iterator[tuple[Message, int]]:
    """Yield the text parts in order, without attachments and the contents of attached emails, each with a number that
    the alternatives of one text share (0: it has none)."""
    return (
        (part, group) for part, group in find_parts(message) if content_type(part) in TEXTS and not is_attachment(part)
    )


def find_documents(message: Message) -> Iterator[Message]:
    """Yield the parts that a person may have attached to be read."""
    return (part for part, _ in find_parts(message) if is_attached_file(part) and DOCUMENT.match(content_type(part)))


def find_parts(message: Message) -> Iterator[tuple[Message, int]]:
    """Yield the parts that contain no other parts."""
    seen = 0
    waiting = [(message, 0, 0)]
    while waiting and seen < MOST_PARTS:
        part, depth, group = waiting.pop()
        seen += 1
        kind = content_type(part)
        if kind.startswith("multipart/") and part.is_multipart():
            group = group or (seen if kind == "multipart/alternative" else 0)
            if depth < DEEPEST_PART:
                waiting += [(one, depth + 1, group) for one in reversed(list_parts(part))]
        else:
            yield part, group


def list_parts(part: Message) -> list[Message]:
    """Return the parts of a part; empty if it is not a multipart."""
    # For such a part, get_payload would decode it by whatever codec it names, or fail on the name.
    inner = part.get_payload() if part.is_multipart() else None
    return [one for one in inner if isinstance(one, Message)] if isinstance(inner, list) else []


def content_type(part: Message) -> str:
    try:
        return part.get_content_type()
    except Exception:  # a Content-Type header can be broken in ways the parser does not expect
        return "text/plain"


def is_attachment(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def is_attached_file(part: Message) -> bool:
    """Return whether a part is attached. An email always is, and some mail programs give a file of another kind than
    text only its name."""
    if is_attachment(part) or content_type(part) == "message/rfc822":
        return True
    return content_type(part) not in TEXTS and bool(read_parameter(part, "name"))


def read_part(part: Message) -> str:
    """Decode one text part: transfer encoding, charset, soft line ends."""
    try:
        tidy_encoding(part)
        cut_footer(part)
        data = part.get_payload(decode=True)
        charset = read_parameter(part, "charset")
        flowed = read_parameter(part, "format").lower() == "flowed"
        joined = read_parameter(part, "delsp").lower() == "yes"
    except Exception:  # an unknown transfer encoding or a parameter in pieces
        data, charset, flowed, joined = None, "", False, False
    if not isinstance(data, bytes):
        return ""
    text = make_storable(decode_bytes(data[: 4 * MOST_TEXT], charset)).replace("\r\n", "\n").replace("\r", "\n")
    return unwrap_flowed(text, delete_space=joined) if flowed and content_type(part) == "text/plain" else text


def tidy_encoding(part: Message) -> None:
    """Leave only the name of the transfer encoding: Python knows none with spaces or a comment behind it."""
    named = str(part.get("Content-Transfer-Encoding", ""))
    name = re.split(r"[;(]", named)[0].strip()
    if name != named:
        part.replace_header("Content-Transfer-Encoding", name)


def cut_footer(part: Message) -> None:
    """Delete plain text below base64, which a mailing list has put there and which would be decoded with it."""
    if str(part.get("Content-Transfer-Encoding", "")).lower() != "base64":
        return
    try:
        payload = part.get_payload()
    except LookupError:  # an unknown charset, and bytes that are no letters
        return
    if not isinstance(payload, str):
        return
    encoded: list[str] = []
    for line in payload.strip().split("\n"):
        row = line.strip()
        is_word = bool(encoded) and not encoded[-1] and len(row) % 4 > 0
        if not ENCODED.fullmatch(row) or is_word:
            break
        encoded.append(row)
        if row.endswith("="):
            break
    if any(encoded):
        part.set_payload("\n".join(encoded))


def read_parameter(part: Message, name: str) -> str:
    try:
        value = part.get_param(name, "")
    except Exception:  # a parameter in pieces
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "").strip().strip("\"'")


def unwrap_flowed(text: str, *, delete_space: bool = False) -> str:
    """Join each line that ends in a space to the next one of the same depth of quoting, unless its writer typed the
    space: below it is an order, or a word that would have fitted in."""
    out: list[tuple[int, list[str]]] = []
    goes_on, above = False, ""
    for line in text.split("\n"):
        depth, body = split_quote(line)
        joins = goes_on and out[-1][0] == depth and body != SIGNATURE and is_broken(above, body)
        above = line
        goes_on = body.endswith(" ") and body != SIGNATURE
        if goes_on and delete_space:
            body = body[:-1]
        if joins:
            out[-1][1].append(body)
        else:
            out.append((depth, [body]))
    return "\n".join("> " * depth + "".join(pieces) for depth, pieces in out)


def is_broken(line: str, rest: str) -> bool:
    """Return whether a mail program has broken a line before `rest`."""
    word = rest.split(" ")[0]
    columns = sum(2 if char >= FIRST_WIDE else 1 for char in line + word)
    return columns > FIRST_BREAK and not (CLEAR_ORDER.match(rest) and is_order(rest))


def split_quote(line: str) -> tuple[int, str]:
    """Split a line into its depth of quoting and its text, without the space that stuffing added."""
    marks = re.match(r">*", line)
    depth = marks.end() if marks else 0
    body = line[depth:]
    return depth, body[1:] if body.startswith(" ") else body
