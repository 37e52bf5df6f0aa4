"""Kept pieces of pages: nobody gets what they did not bring, and a page is the same with nothing kept."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from django.template import Context, RequestContext, Template
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from operations.templatetags import keep
from operations.templatetags.keep import NotListed, kept_pieces
from tests.duels.fights import Fight, start_fight
from tests.scenes import log_in, make_mage

TOKEN = 'name="csrfmiddlewaretoken" value="'


@dataclass(frozen=True)
class Part:
    words: tuple[str, ...] = ()
    number: int = 0


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    kept_pieces.clear()
    yield
    kept_pieces.clear()


def draw(text: str, **names: object) -> str:
    return template(text).render(Context(names))


_known: dict[str, Template] = {}


def template(text: str) -> Template:
    return _known.setdefault(text, Template("{% load i18n keep %}" + text))


def test_a_piece_is_drawn_once_for_each_content_and_language():
    text = '{% keep board.part %}{{ board.part.words.0 }} {% translate "Home" %}{% endkeep %}'
    first = draw(text, board=SimpleNamespace(part=Part(("<a>",))))
    assert first == draw(text, board=SimpleNamespace(part=Part(("<a>",)))) == "&lt;a&gt; Home"
    assert len(kept_pieces) == 1
    with translation.override("de"):
        assert draw(text, board=SimpleNamespace(part=Part(("<a>",)))) == "&lt;a&gt; Start"
    assert draw(text, board=SimpleNamespace(part=Part(("b",)))) == "b Home"
    assert len(kept_pieces) == 3


def test_two_tags_never_share_a_piece():
    assert draw("{% keep one %}A{{ one }}{% endkeep %}{% keep one %}B{{ one }}{% endkeep %}", one=1) == "A1B1"


@pytest.mark.parametrize(
    "inside",
    (
        "{{ board.secret }}",
        "{{ secret }}",
        "{% if secret %}x{% endif %}",
        "{% for each in board.secret %}x{% endfor %}",
        "{{ request.user }}",
        "{% with a=board.secret %}{{ a }}{% endwith %}",
    ),
)
def test_an_unlisted_name_is_an_error_and_not_in_the_piece(inside: str):
    with pytest.raises(NotListed):
        draw(
            "{% keep board.part %}" + inside + "{% endkeep %}",
            board=SimpleNamespace(part=Part(), secret="pending orders"),
            secret="pending orders",
            request=None,
        )
    assert len(kept_pieces) == 0


def test_values_that_may_change_are_refused():
    @dataclass
    class Loose:
        number: int = 0

    @dataclass(frozen=True)
    class Blind:
        number: int = field(default=0, compare=False)

    for value in ((["x"],), Part(words=["x"]), Loose(), Blind(), User(), SimpleLazyObject(User)):
        with pytest.raises(TypeError):
            draw("{% keep value %}{% endkeep %}", value=value)
    assert len(kept_pieces) == 0


def test_a_lazy_value_is_kept_as_its_value():
    text = "{% keep count %}{{ count }}{% endkeep %}"
    assert (draw(text, count=SimpleLazyObject(lambda: 3)), draw(text, count=3), len(kept_pieces)) == ("3", "3", 1)


def test_each_reader_gets_their_own_token():
    text = template("{% keep one %}<form>{% csrf_token %}{{ one }}</form>{% endkeep %}")
    pages = [text.render(RequestContext(RequestFactory().get("/"), {"one": 1})) for _ in range(2)]
    tokens = [page.split(TOKEN)[1].split('"')[0] for page in pages]
    assert (len(set(tokens)), len(kept_pieces)) == (2, 1)
    assert {len(token) for token in tokens} == {64}
    assert TOKEN not in text.render(Context({"one": 1}))
    assert not any(keep.TOKEN_MARK in page for page in pages)


def test_a_page_without_forms_sets_no_cookie(db: None):
    assert "csrftoken" not in Client().get("/rules/").cookies


def test_the_least_recently_used_piece_goes_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept_pieces, "_most", 2)
    text = "{% keep one %}{{ one }}{% endkeep %}"
    for one in ("a", "b", "a", "c"):
        draw(text, one=one)
    assert [key[-1] for key in kept_pieces._kept] == [("a",), ("c",)]


def without_tokens(page: bytes) -> str:
    return "".join(piece[64:] if place else piece for place, piece in enumerate(page.decode().split(TOKEN)))


def test_pages_are_the_same_with_nothing_kept_and_after_others_asked(db: None, monkeypatch: pytest.MonkeyPatch):
    """Both players, the one with orders ready first, and a stranger: warm pages equal pages in which nothing is
    kept, and no isolation is needed to draw them."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    for _ in range(2):
        for name in fight.names:
            fight.order(name, "LH D\nRH P")
    fight.order("Froodal", "LH S\nRH W\nSAY Nobody knows this yet")
    clients = [let_in(fight, name) for name in fight.names] + [Client()]
    paths = [f"/battles/{fight.number}/", f"/battles/{fight.number}/?fragment=board", "/", "/challenges/", "/ladder/"]
    asked = [(client, path) for path in paths for client in clients]
    for client, path in asked:
        assert client.get(path).status_code == 200
    assert len(kept_pieces) > 10
    warm = [without_tokens(client.get(path).content) for client, path in asked]
    monkeypatch.setattr(keep.KeepNode, "render", lambda node, context: node.nodelist.render(context))
    plain = [without_tokens(client.get(path).content) for client, path in asked]
    assert warm == plain
    for (client, _), page in zip(asked, warm, strict=True):
        if client is not clients[0]:
            assert "Nobody knows this yet" not in page


def let_in(fight: Fight, name: str) -> Client:
    client = log_in(fight.user(name))
    client.get("/")
    return client
