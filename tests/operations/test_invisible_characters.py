"""Invisible signs are shown as marks, except those that writing needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operations.text.invisible_characters import is_hidden, mark_hidden, mark_speech


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I\u202egnop", "I[U+202E]gnop"),
        ("\u2066a\u2069", "[U+2066]a[U+2069]"),
        ("a\u200bb", "a[U+200B]b"),
        ("a\u200db", "a[U+200D]b"),
        ("a\u200cb", "a[U+200C]b"),
        ("\ufeffHello", "[U+FEFF]Hello"),
        ("so\u00adft", "so[U+00AD]ft"),
        ("a\u061cb\u200e\u200f", "a[U+061C]b[U+200E][U+200F]"),
        ("\u3164", "[U+3164]"),
        ("a\ufe0f", "a[U+FE0F]"),
        ("a\U000e0041", "a[U+E0041]"),
        ("\x1b[31m", "[U+001B][31m"),
        ("a\u2028b", "a[U+2028]b"),
    ],
)
def test_hidden_signs_are_shown(text, shown):
    assert mark_hidden(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Plain words, à la française.",
        "שלום עולם",
        "مرحبا بالعالم",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f\u200d\U0001f525",
        "1\ufe0f\u20e3 and \u263a\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "two\nlines\tand a tab",
    ],
)
def test_signs_that_writing_needs_stay(text):
    assert mark_hidden(text) == text


def test_only_speech_is_marked_in_orders():
    assert mark_speech("LH P\u200b\nsay hi\u202e\nRH D") == "LH P\u200b\nsay hi[U+202E]\nRH D"


@given(st.text(alphabet=st.sampled_from("aש🔥\u202e\u2066\u200b\u200d\u200c\ufe0f\u00ad\n"), max_size=12))
def test_marking_twice_is_the_same_as_once_and_leaves_no_change_of_direction(text):
    marked = mark_hidden(text)
    assert mark_hidden(marked) == marked
    assert not any(is_hidden(sign) and sign not in "\u200c\u200d\ufe0f" for sign in marked)
