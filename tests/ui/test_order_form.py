"""The fields of the battle page become order text; a typed order line wins."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from duels.order_form import OrderForm, read_order_form, read_stage

pytestmark = pytest.mark.once


def form(text: str) -> OrderForm:
    return read_order_form(QueryDict(text))


def test_pads_and_selects_become_one_order_a_line() -> None:
    sent = form("LH=P&RH=D&order=TARGET+LH+Bung&order=&say=Good+day%0Ato+you&act=ready&stage=8.0.1&mage=Froodal")
    assert sent.text == "LH P\nRH D\nTARGET LH Bung\nSAY Good day to you"
    assert (sent.act, sent.stage, sent.mage, sent.confirmed) == ("ready", (8, 0, 1), "Froodal", False)


def test_a_typed_line_wins_over_pads_and_selects() -> None:
    sent = form("LH=P&RH=D&order=TARGET+LH+Bung&line=W/W")
    assert sent.text == "W/W"
    assert sent.line == "W/W"


def test_semicolons_separate_orders_but_not_speech() -> None:
    assert form("line=P/D;+TARGET+RH+Bung;;").text == "P/D\nTARGET RH Bung"
    assert form("line=P/D;+SAY+well;+well").text == "P/D\nSAY well; well"


def test_a_single_gesture_is_a_draft_worth_keeping() -> None:
    assert form("RH=%3E").text == "RH >"


def test_an_unknown_button_only_previews_and_never_sends() -> None:
    assert form("act=Ready").act == "preview"
    assert form("").act == "preview"


@given(st.text(max_size=20))
def test_a_stage_is_three_numbers_or_nothing(text: str) -> None:
    stage = read_stage(text)
    assert stage is None or ".".join(map(str, stage)) == ".".join(str(int(part)) for part in text.split("."))


@given(st.dictionaries(st.sampled_from(["LH", "RH", "line", "say", "act", "stage", "order"]), st.text(max_size=30)))
def test_no_form_raises(fields: dict[str, str]) -> None:
    data = QueryDict(mutable=True)
    data.update(fields)
    assert isinstance(read_order_form(data).text, str)
