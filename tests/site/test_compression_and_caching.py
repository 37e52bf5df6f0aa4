"""Compression and caching by browsers: only for pages without secrets."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from challenges.services.invite_links import make_invite_link
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
BOTH = {"Accept-Encoding": "gzip, deflate, br"}


def open_paths(fight):
    page, api = f"/battles/{fight.number}/", f"/api/battles/{fight.number}/"
    return [page, f"{page}?fragment=board", "/battles/", "/ladder/", "/statistics/", "/rules/", api, f"{api}events/"]


def test_visitors_get_compressed_pages_and_unchanged_ones_only_once(fight):
    for path in open_paths(fight):
        plain = Client().get(path)
        for encoding, unpack in (("br", brotli.decompress), ("gzip", gzip.decompress)):
            packed = Client(headers={"Accept-Encoding": encoding}).get(path)
            assert packed["Content-Encoding"] == encoding and unpack(packed.content) == plain.content, path
            assert len(packed.content) < len(plain.content) / 2
        assert {"Cookie", "Accept-Encoding"} <= set(re.split(r",\s*", plain["Vary"]))
        assert plain["Cache-Control"] == "no-cache, private" and "Expires" not in plain
        again = Client(headers={**BOTH, "If-None-Match": plain["ETag"]}).get(path)
        assert again.status_code == 304 and not again.content and again["ETag"] == plain["ETag"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("br;q=0, gzip", "gzip"), ("BR; q=0.0, gzip;q=0", None), ("br;q=0.5", "br"), ("identity", None)],
)
def test_an_encoding_that_the_client_refuses_is_not_used(fight, accepted, encoding):
    answer = Client(headers={"Accept-Encoding": accepted}).get("/battles/")
    assert answer.get("Content-Encoding") == encoding


def test_a_page_that_changed_is_sent_again(fight):
    path = f"/battles/{fight.number}/?fragment=board"
    mark = Client().get(path)["ETag"]
    fight.turn("S/-", "-/W")
    answer = Client(headers={"If-None-Match": mark}).get(path)
    assert answer.status_code == 200 and answer["ETag"] != mark


def test_players_pages_are_not_compressed_or_stored(fight):
    player = Client(headers=BOTH)
    player.force_login(fight.user("Froodal"))
    strange = Client().get(f"/battles/{fight.number}/")["ETag"]
    for path in [*open_paths(fight), "/"]:
        answer = player.get(path, headers={"If-None-Match": strange})
        assert answer.status_code == 200 and "Content-Encoding" not in answer and "ETag" not in answer, path
    _, token = issue_api_token(user=fight.user("Froodal"), name="bot", now=NOW)
    by_token = Client(headers={**BOTH, "Authorization": f"Bearer {token}"}).get(f"/api/battles/{fight.number}/")
    assert by_token.status_code == 200 and "Content-Encoding" not in by_token
    assert "no-store" in by_token["Cache-Control"]


def test_forms_and_secret_addresses_are_not_compressed(db):
    challenge = make_challenge(make_mage("Anna"), open_to_all=False, by_link=True, limit=2)
    _, token = make_invite_link(number=challenge.number, mage=challenge.challenger, now=timezone.now())
    stranger = Client(headers=BOTH)
    for path in ("/", "/accounts/login/", "/accounts/signup/", f"/challenges/join/{token}/", "/health/ready"):
        answer = stranger.get(path)
        if b"csrfmiddlewaretoken" in answer.content or "join" in path:
            assert "Content-Encoding" not in answer and "ETag" not in answer, path


def test_an_expired_session_still_counts_as_one(fight):
    """A user who was logged in may have their own page in the cache under this address."""
    client = Client(headers=BOTH)
    client.cookies["sessionid"] = "gone"
    assert "Content-Encoding" not in client.get(f"/battles/{fight.number}/")


def test_the_battle_page_preloads_every_module_it_imports(fight):
    html = Client().get(f"/battles/{fight.number}/").content.decode()
    preloaded = set(re.findall(r'rel="modulepreload" href="/static/js/([^"]+)"', html))
    folder = Path(finders.find("js/battle.js")).parent
    waiting, wanted = ["battle.js"], set()
    while waiting:
        name = waiting.pop()
        for found in re.findall(r'from "([^"]+)"', (folder / name).read_text()):
            each = str(((folder / name).parent / found).resolve().relative_to(folder.resolve()))
            if each not in wanted:
                wanted.add(each)
                waiting.append(each)
    assert preloaded == wanted


def test_scripts_import_each_other_by_hashed_names(tmp_path, settings):
    from fm_site.serving.static_files import HashedFiles

    storage = HashedFiles(location=str(tmp_path), base_url="/static/")
    folder = Path(finders.find("js/battle.js")).parent
    paths = {}
    files = {f"js/{file.relative_to(folder)}": file for file in [folder / "battle.js", *folder.glob("battle/*.js")]}
    files["js/menu.js"] = Path(finders.find("js/menu.js"))
    for name, file in files.items():
        with file.open("rb") as source:
            storage.save(name, source)
        paths[name] = (storage, name)
    assert all(not isinstance(done, Exception) for *_, done in storage.post_process(paths))
    [hashed] = tmp_path.glob("js/battle.*.js")
    imports = re.findall(r'(?:from|import) ?"([^"]+)"', hashed.read_text())
    assert any("menu." in name for name in imports) and all(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in imports)
    assert list(tmp_path.rglob("*.js.br"))
