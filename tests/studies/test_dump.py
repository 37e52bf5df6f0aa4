"""The dump: every finished battle, with neutral names for users who left; anyone can check it."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from duels.models import Battle
from fm_site.pages import statistics
from ladder.models import ScoredBattle
from ladder.services.revise_results import annul_result, correct_result
from ladder.tasks import sweep_unrated_battles
from moderation.services.battles.rewind_battle import rewind_battle
from rules_engine.records import parse_record
from studies.dump import check_dump, read_index
from studies.dump.files import read_lines, write_index, write_month
from studies.services.dump import write_dump
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db
MISSILES = [("S/-", "P/-"), ("D/-", "-/-")]


@pytest.fixture
def folder(tmp_path, settings):
    settings.FM_DUMP_DIR = tmp_path / "dump"
    return settings.FM_DUMP_DIR


@pytest.fixture
def site(folder):
    """Two duels, a melee with an early surrender, practice, and a running battle."""
    froodal, bung, ayla = (make_mage(name) for name in ("Froodal", "Bung", "Ayla"))
    duels = [start_and_end(froodal, bung), start_and_end(froodal, bung)]
    melee = start_fight(froodal, bung, ayla)
    melee.turns([("-/-", "-/-", "P/P")])
    melee.order("Froodal", "-/-")
    melee.order("Bung", "P/P")
    owner = make_user("Ambidexter")
    start_and_end(make_mage("Lefty", owner), make_mage("Righty", owner))
    running = start_fight(make_mage("Crom"), make_mage("Dara"))
    running.turn("W/F", "C/C")
    sweep_unrated_battles()
    write_dump(folder=folder, now=NOW)
    return {"duels": duels, "melee": melee, "running": running, "bung": bung}


def test_a_draw_by_common_surrender_comes_out_as_the_dump_says(folder):
    """FM-SURR-7: the points are shared, and ratings call it a draw."""
    fight = start_fight(*(make_mage(name) for name in ("Mea", "Meb", "Mec", "Med")))
    fight.turn("P/P", "P/P", "W/W", "F/F")
    fight.order("Mec", "P/P")
    fight.order("Med", "P/P")
    sweep_unrated_battles()
    write_dump(folder=folder, now=NOW)
    assert check_dump(folder) == (1, [])
    battle = read(folder)[fight.number]
    assert "\nsharing Mec\nsharing Med\n" in battle["record"]
    assert not any(each["won"] for each in battle["mages"])
    assert sorted(each["mage"] for each in battle["scores"] if each["reason"] == "shared") == ["Mec", "Med"]


def start_and_end(*mages):
    fight = start_fight(*mages)
    fight.turns([*MISSILES, ("-/-", "P/P")])
    return fight


def read(folder):
    return {battle["battle"]: battle for file in folder.glob("*.jsonl.gz") for battle in read_lines(file)}


def test_it_contains_finished_battles_and_every_number_can_be_recomputed(site, folder, capsys):
    battles = read(folder)
    assert len(battles) == 4 and site["running"].number not in battles
    first = battles[site["duels"][0].number]
    assert [(each["mage"], each["won"]) for each in first["mages"]] == [("Froodal", True), ("Bung", False)]
    assert first["paid"] == ["Bung"] and len(first["ratings"]) == 2
    assert battles[site["melee"].number]["paid"] == ["Ayla", "Bung"]
    assert parse_record(first["record"]).mages == ("Froodal", "Bung")
    assert "@" not in json.dumps(battles)
    call_command("check_dump", folder)
    assert "Battles checked: 4. All records, scores and ratings match." in capsys.readouterr().out


def falsify(folder, change):
    """Change one battle of the dump, and let the sums be right again."""
    _, parts = read_index(folder)
    battles = list(read(folder).values())
    change(battles[0])
    write_index(folder, write_month(folder, parts[0].month, battles, "x"), written_at="2031-05-05")


def set_score(battle):
    battle["scores"][0]["after"] += 1


def set_rating(battle):
    next(iter(battle["ratings"].values()))[0] += 0.001


def set_winner(battle):
    for each in battle["mages"]:
        each["won"] = not each["won"]


def set_record(battle):
    battle["record"] = battle["record"].replace("LH D", "LH F", 1)


def test_every_falsification_is_found(site, folder):
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    for change in (set_score, set_rating, set_winner, set_record):
        falsify(folder, change)
        with pytest.raises(CommandError, match=r"Faults: \d+. Battles checked: 4."):
            call_command("check_dump", folder)
        for path, content in whole.items():
            path.write_bytes(content)
    archive = next(folder.glob("*.zip"))
    archive.write_bytes(archive.read_bytes() + b"x")
    assert [(fault.where, fault.what) for fault in check_dump(folder)[1]] == [(archive.name, "SHA-256")]


def test_only_a_month_with_news_is_written_and_its_figures_follow(site, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert write_dump(folder=folder, now=NOW + timedelta(days=1)) == 0
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert before.pop("index.json") != after.pop("index.json") and before == after

    user, number = site["bung"].user, site["duels"][1].number
    User.objects.filter(pk=user.pk).update(is_active=False)
    annul_result(battle=site["duels"][0].number, now=NOW)
    correct_result(battle=number, winners=[site["bung"]], dead=[], surrendered=[], now=NOW)
    sweep_unrated_battles()
    assert write_dump(folder=folder, now=NOW) == 1
    battles = read(folder)
    assert site["duels"][0].number not in battles and battles[number]["corrected"]
    assert user.username not in json.dumps(battles) and f"former_user_{user.pk}" in json.dumps(battles)
    assert check_dump(folder)[1] == []


class TestThePage:
    def test_files_are_listed_with_their_sums_and_can_be_had(self, site, folder):
        page = Client().get("/dump/").content.decode()
        _, parts = read_index(folder)
        for part in parts:
            assert part.sha256 in page
            answer = Client().get(f"/dump/{part.name}")
            assert answer.status_code == 200 and len(answer.getvalue()) == part.size
        names = zipfile.ZipFile(io.BytesIO(next(folder.glob("*.zip")).read_bytes())).namelist()
        assert f"battle-{site['melee'].number}.txt" in names

    @pytest.mark.parametrize("remote", [False, True])
    def test_no_file_with_a_reopened_battle_is_served_until_it_is_written_without(
        self, site, folder, settings, monkeypatch, remote
    ):
        """Its hidden gestures are secret again; a link that was made before to remote storage shows them too."""
        duel = start_and_end(make_mage("Vera"), make_mage("Wanda")).battle
        old = start_and_end(make_mage("Ulf"), make_mage("Zed"))
        long_ago = NOW - timedelta(days=90)
        Battle.objects.filter(number=old.number).update(finished_at=long_ago)
        ScoredBattle.objects.filter(number=old.number).update(scored_at=long_ago)
        write_dump(folder=folder, now=NOW)
        if remote:
            settings.FM_DUMP_TO = "offsite:firetop-dump"
            monkeypatch.setattr(statistics, "read_file", lambda to, name, **named: (folder / name).read_bytes())
            monkeypatch.setattr(statistics, "make_link", lambda to, name, **named: f"https://storage.test/{name}")
        given = 302 if remote else 200

        def ask():
            cache.delete("dump")
            return {part.name: Client().get(f"/dump/{part.name}").status_code for part in read_index(folder)[1]} | {
                name: Client().get(f"/dump/{name}").status_code for name in ("index.json", "SHA256SUMS")
            }

        assert set(ask().values()) == {given}
        rewind_battle(battle=duel, seq=2, by=make_janitor(), reason="x", now=NOW, without_consent="y")
        month = f"{NOW:%Y-%m}"
        withheld = {name for name, status in ask().items() if status == 404}
        assert withheld == {f"battles-{month}.jsonl.gz", f"records-{month}.zip"}
        refused = Client().get(f"/dump/battles-{month}.jsonl.gz").text
        assert "A janitor has reopened a battle" in refused
        page = Client().get("/dump/").text
        assert page.count("A janitor has reopened a battle") == 1 and f'href="/dump/records-{month}.zip"' not in page
        write_dump(folder=folder, now=NOW + timedelta(days=1))
        assert set(ask().values()) == {given} and duel.number not in read(folder)

    @pytest.mark.parametrize("name", ["../secret_key", "..%2Fsecret_key", "battles-2031-05.jsonl.gz", "x"])
    def test_no_other_file_is_served(self, folder, name):
        assert Client().get(f"/dump/{name}").status_code == 404

    def test_before_the_first_night_it_says_when_there_will_be_files(self, folder):
        assert "04:00 UTC every night" in Client().get("/dump/").content.decode()
