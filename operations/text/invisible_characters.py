"""Makes invisible characters, which could mislead readers, visible in every text that users write for others.

A text is marked when it is accepted, so that page, email, API, record and story show the same. Legitimate uses stay:
right-to-left scripts, the joiners of emoji and of Persian or Indic words, variation selectors, tags of a flag.
"""

import re
import unicodedata

ZWNJ, ZWJ = "\u200c", "\u200d"
TEXT_STYLE, EMOJI_STYLE = "\ufe0e", "\ufe0f"
BLACK_FLAG = "\U0001f3f4"
# Letters that show as nothing.
BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800"
KEPT = "\n\t\r"
SPEECH = re.compile(r"^\s*SAY\b", re.IGNORECASE)


def mark_hidden(text: str) -> str:
    """Return `text` with each hidden character replaced by its number: "[U+202E]". Line ends, tabs and legitimate uses
    stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"[U+{ord(sign):04X}]" if is_hidden(sign) and not _belongs(text, place) else sign
        for place, sign in enumerate(text)
    )


def mark_line(text: str) -> str:
    """Return `text` as one line, with hidden characters marked and each run of white space as one space."""
    return " ".join(mark_hidden(text).split())


def mark_speech(orders: str) -> str:
    """Return orders with hidden characters marked in SAY lines; the grammar handles the rest."""
    return "\n".join(mark_hidden(line) if SPEECH.match(line) else line for line in orders.split("\n"))


def is_hidden(sign: str) -> bool:
    """Return whether a character is invisible or changes the order of its neighbours."""
    if sign in KEPT:
        return False
    kind = unicodedata.category(sign)
    return (
        kind in ("Cc", "Cf", "Cs", "Zl", "Zp")
        or sign in BLANK_LETTERS
        or sign == "\u034f"
        or "\ufe00" <= sign <= "\ufe0f"
        or "\u180b" <= sign <= "\u180f"
        or "\U000e0000" <= sign <= "\U000e0fff"
    )


def _belongs(text: str, place: int) -> bool:
    """Return whether a hidden character is used legitimately, judging by its neighbours."""
    sign, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if sign in (TEXT_STYLE, EMOJI_STYLE):
        return bool(before) and (_is_emoji(before) or (before in "0123456789#*" and after == "\u20e3"))
    if sign == ZWJ and before and after and _is_emoji(after):
        return _is_emoji(before) or (before == EMOJI_STYLE and place > 1 and _is_emoji(text[place - 2]))
    if sign in (ZWNJ, ZWJ):
        return _joins(before) and _joins(after)
    if "\U000e0020" <= sign <= "\U000e007f":
        tags = text[:place].rstrip("".join(map(chr, range(0xE0020, 0xE007F))))
        return tags.endswith(BLACK_FLAG) and (sign == "\U000e007f" or "\U000e007f" in text[place : place + 8])
    return False


def _is_emoji(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sk", "Sm") and not sign.isascii()


def _joins(sign: str) -> bool:
    """Return whether a letter (or its mark) belongs to a script in which joiners change the shape of a word."""
    if not sign or unicodedata.category(sign)[0] not in "LM":
        return False
    number = ord(sign)
    return 0x0600 <= number <= 0x08FF or 0x0900 <= number <= 0x0DFF or 0x1780 <= number <= 0x18AF
