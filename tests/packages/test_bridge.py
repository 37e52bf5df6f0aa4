"""The bridge plays a program in another language on a running site, by rules, and names all that is wrong with its
configuration."""

import asyncio
import logging
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from firetop_bridge.__main__ import main
from firetop_bridge.accepting import judge
from firetop_bridge.bridge import Bridge, Player
from firetop_bridge.config import ConfigError, Rules, check_names, read_config
from firetop_bridge.program import Program, ProgramFailed
from firetop_client import AsyncFiretop, Firetop, Problem, Unreachable
from firetop_client.models import Challenge, SeatFacts

from accounts.services.tokens import issue_api_token
from challenges.models import Seat
from tests.duels.fights import start_fight
from tests.packages.weather import open_site
from tests.scenes import make_mage, make_user
from tests.services.stack import ROOT

PACKAGES = ROOT / "packages"
CONFIG = """
[site]
url = "{url}"
token_env = "BRIDGE_TOKEN"

[program]
command = ["sh", "{bot}"]

[play]
at_once = 2

[accept]
who = "people"
never = ["Rival"]
paces = ["day"]
stakes = ["friendly", "very-friendly"]
"""


@pytest.fixture(autouse=True)
def logging_is_set_up():
    """Import the site before a test runs: that sets up logging, and would take a test its `caplog`."""
    from fm_site import asgi  # noqa: F401


def token_of(user):
    return issue_api_token(user=user, name="bridge", scopes=["read", "play"], now=timezone.now())[1]


def play_badly(client, number, turns):
    """Wave at nothing for some turns, and then surrender."""
    for battle in client.turns(number):
        if battle.key.seq >= turns:
            client.surrender(number)
        else:
            client.give_orders(battle, "-/-")


@pytest.mark.django_db(transaction=True)
def test_a_program_in_another_language_plays_two_battles_at_once(tmp_path):
    owner = make_user("Shellmaster")
    for name in ("Shell", "Pipe"):
        make_mage(name, owner)
    foes = {name: make_mage(name, make_user(f"User{name}")) for name in ("Ayla", "Borin", "Cormac")}
    file = tmp_path / "bridge.toml"
    token = token_of(owner)
    paths = os.pathsep.join(str(PACKAGES / name / "src") for name in ("firetop_client", "firetop_bridge"))
    environment = {**os.environ, "BRIDGE_TOKEN": token, "PYTHONPATH": paths}
    command = [sys.executable, "-m", "firetop_bridge", str(file), "--battles", "2"]
    with open_site() as site:
        file.write_text(CONFIG.format(url=site.url, bot=PACKAGES / "firetop_bridge" / "examples" / "bot.sh"))
        clients = {name: Firetop(site.url, token_of(mage.user)) for name, mage in foes.items()}
        terms = {"stakes": "friendly", "ruleset": "firetop-standard"}
        # An invitation from before the bridge began, and one that breaks a rule.
        first = clients["Ayla"].create_challenge(mage="Ayla", against=["Shell"], pace="day", **terms).challenge
        slow = clients["Cormac"].create_challenge(mage="Cormac", against=["Pipe"], pace="classic", **terms).challenge
        site.weather.path = "/api/v1/events/"
        site.weather.coming.extend(["break", 503])
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as stopped:
            wait_until(lambda: clients["Ayla"].read_challenge(first).status == "started")
            # It says a moment later what it has done.
            begun, limit = "", threading.Timer(60, stopped.kill)
            limit.start()
            while not (f"challenge {first}: Shell joins" in begun and f"challenge {slow} is not accepted" in begun):
                begun += (line := stopped.stderr.readline())
                assert line, begun
            limit.cancel()
            stopped.terminate()
            begun += stopped.communicate(timeout=60)[1]
        assert stopped.returncode == 0
        # It finds the battle again when it is started again.
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as bridge:
            try:
                second = (
                    clients["Borin"].create_challenge(mage="Borin", against=["Pipe"], pace="day", **terms).challenge
                )
                wait_until(lambda: clients["Borin"].read_challenge(second).status == "started")
                games = {"Ayla": first, "Borin": second}
                players = [threading.Thread(target=play_badly, args=(clients[name], n, 5)) for name, n in games.items()]
                for each in players:
                    each.start()
                told = begun + bridge.communicate(timeout=120)[1]
            finally:
                bridge.kill()
        for each in players:
            each.join(10)
        battles = [clients[name].read_battle(n) for name, n in games.items()]
        for each in clients.values():
            each.close()
    assert bridge.returncode == 0, told
    assert [each.status for each in battles] == ["finished", "finished"]
    # The missile of the left hand has hit twice.
    assert [each.mages[0].hp for each in battles] == [13, 13], told
    assert Seat.objects.get(challenge__number=slow, mage__name="Pipe").reason == "pace"
    assert token not in told and f"challenge {slow} is not accepted: its pace is classic" in told
    assert "ERROR" not in told and told.count("1.00 of the point") == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("on_failure", ["surrender", "wait"])
def test_what_happens_to_a_battle_whose_program_fails_is_the_owners_choice(on_failure, tmp_path, caplog):
    caplog.set_level(logging.ERROR, "firetop_bridge")
    fight = start_fight(make_mage("Shell"), make_mage("Ayla"))
    file = tmp_path / "bridge.toml"

    async def story():
        async with AsyncFiretop(site.url, tokens["Shell"]) as owner, AsyncFiretop(site.url, tokens["Ayla"]) as foe:
            await foe.give_orders(await foe.read_battle(fight.number), "-/-")
            bridge = asyncio.create_task(Bridge(owner, read_config(file), most_battles=1).run())
            while "surrenders" not in caplog.text and "left to you" not in caplog.text:
                await asyncio.sleep(0.05)
            if on_failure == "surrender":
                await bridge
            bridge.cancel()
            return await owner.read_battle(fight.number)

    with open_site() as site:
        tokens = {name: token_of(fight.user(name)) for name in fight.names}
        text = CONFIG.format(url=site.url, bot="nothing.sh")
        file.write_text(text.replace("[play]", f'tries = 2\non_failure = "{on_failure}"\n[play]'))
        battle = asyncio.run(asyncio.wait_for(story(), 60))
    assert caplog.text.count("the program failed") == 2
    assert battle.is_over == (on_failure == "surrender") and battle.owes_orders == (on_failure == "wait")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("refusal", "asked", "told"),
    [
        (Problem(409, "too_late", "Too late", ""), 2, "came too late"),
        (Problem(413, "body_too_long", "Too long", ""), 2, "left to you"),
    ],
)
def test_orders_that_the_site_will_not_take_are_not_sent_without_end(refusal, asked, told, tmp_path, caplog):
    caplog.set_level(logging.INFO, "firetop_bridge")
    fight = start_fight(make_mage("Shell"), make_mage("Ayla"))
    file = tmp_path / "bridge.toml"
    sent = []

    async def refuse(*given, **more):
        sent.append(more)
        raise refusal

    async def story():
        async with AsyncFiretop(site.url, token) as owner:
            owner.send_orders = refuse
            bridge = asyncio.create_task(Bridge(owner, read_config(file)).run())
            while len(sent) < asked or told not in caplog.text:
                await asyncio.sleep(0.05)
            await asyncio.sleep(1)
            bridge.cancel()

    with open_site() as site:
        token = token_of(fight.user("Shell"))
        bot = PACKAGES / "firetop_bridge" / "examples" / "bot.sh"
        file.write_text(CONFIG.format(url=site.url, bot=bot).replace("[play]", "tries = 2\n[play]"))
        asyncio.run(asyncio.wait_for(story(), 60))
    assert len(sent) == asked


@pytest.mark.django_db(transaction=True)
def test_only_the_mages_of_the_file_answer_and_an_open_challenge_waits_until_they_are_free(tmp_path):
    owner = make_user("Shellmaster")
    for name in ("Shell", "Spare"):
        make_mage(name, owner)
    foes = {name: make_mage(name, make_user(f"User{name}")) for name in ("Ayla", "Borin", "Cormac")}
    file = tmp_path / "bridge.toml"
    tokens = [token_of(user) for user in (owner, foes["Ayla"].user, foes["Borin"].user)]

    async def story():
        async with (
            AsyncFiretop(site.url, tokens[0]) as mine,
            AsyncFiretop(site.url, tokens[1]) as ayla,
            AsyncFiretop(site.url, tokens[2]) as borin,
        ):
            terms = {"pace": "day", "stakes": "friendly"}
            slow = {"pace": "slow", "stakes": "friendly"}
            # For the mage that its owner plays.
            kept = (await ayla.create_challenge(mage="Ayla", against=["Spare"], **slow)).challenge
            busy = (await mine.create_challenge(mage="Shell", **slow)).challenge
            opened = (await borin.create_challenge(mage="Borin", **terms)).challenge
            bridge = Bridge(mine, read_config(file))
            bridge.config = replace(bridge.config, mages=("Shell",))
            await bridge.look()
            assert (await borin.read_challenge(opened)).status == "open"
            await mine.withdraw_challenge(busy, mage="Shell")
            await bridge.look()
            assert (await borin.read_challenge(opened)).status == "started"
            seats = (await ayla.read_challenge(kept)).seats
            assert {seat.mage: seat.state for seat in seats} == {"Ayla": "joined", "Spare": "invited"}

    with open_site() as site:
        text = CONFIG.format(url=site.url, bot="bot.sh").replace("[accept]", "[accept]\nopen = true")
        file.write_text(text)
        asyncio.run(asyncio.wait_for(story(), 60))


def wait_until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_everything_that_is_wrong_with_a_configuration_is_named_at_once(tmp_path, monkeypatch, capsys):
    file = tmp_path / "bridge.toml"
    file.write_text(
        """
        [site]
        url = "http://site.example"
        token = "fm_secret"
        [program]
        command = ""
        patiense = 5
        tries = 99
        [accept]
        who = "bot"
        paces = "day"
        smallest = 4
        largest = 3
        open = 1
        [acept]
        """
    )
    with pytest.raises(ConfigError) as wrong:
        read_config(file)
    places = [problem.partition(":")[0] for problem in wrong.value.problems]
    listed = "site.url site.token program.command program.patiense program.tries accept.who accept.paces accept.open"
    assert sorted(places) == sorted([*listed.split(), "accept.smallest", "acept"])
    told = "\n".join(wrong.value.problems)
    assert "Did you mean bots?" in told and "Did you mean patience?" in told and "Did you mean accept?" in told
    assert main([str(file)]) == 2
    shown = capsys.readouterr().err
    assert all(problem in shown for problem in wrong.value.problems) and "fm_secret" not in shown
    for text, words in (("[site", "is not TOML"), ("", "site.url: is missing")):
        file.write_text(text)
        with pytest.raises(ConfigError, match=words):
            read_config(file)
    file.write_text(CONFIG.format(url="https://site.example", bot="bot.sh"))
    config = read_config(file)
    monkeypatch.delenv("BRIDGE_TOKEN", raising=False)
    with pytest.raises(ConfigError, match="BRIDGE_TOKEN"):
        config.read_token()
    known = {"rulesets": ["firetop-standard"], "paces": ["dayly"], "stakes": ["friendly", "very-friendly"]}
    with pytest.raises(ConfigError) as unknown:
        check_names(replace(config, mages=("Shel",)), known, ["Shell"], ["read"])
    assert unknown.value.problems == (
        "accept.paces: the site has no 'day'. Did you mean dayly?",
        "play.mages: the site has no 'Shel'. Did you mean Shell?",
        "site.token_env: the token must not play. Create one with the scope play.",
    )
    typed = replace(config, mages=("SHELL",), rules=replace(config.rules, paces=("Dayly",), stakes=("FRIENDLY",)))
    spelt = check_names(typed, known, ["Shell"], ["read", "play"])
    assert (spelt.mages, spelt.rules.paces, spelt.rules.stakes) == (("Shell",), ("dayly",), ("friendly",))
    secret = tmp_path / "token"
    secret.write_text("fm_secret\n")
    secret.chmod(0o644)
    by_file = replace(config, token_env="", token_file=secret)
    with pytest.raises(ConfigError, match="chmod 600"):
        by_file.read_token()
    secret.chmod(0o600)
    assert by_file.read_token() == "fm_secret" and "fm_secret" not in repr(by_file)
    for token in ("fm_\nsecret", "fm_sécret"):
        secret.write_text(token, encoding="utf-8")
        with pytest.raises(ConfigError, match=r"site\.token_file: .*Copy it again") as wrong:
            by_file.read_token()
        assert "secret" not in repr(wrong.value)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('url = "https://site.example"', 'url = ""', "site.url"),
        ('url = "https://site.example"', 'url = "https://site.example/api/v1/"', "site.url"),
        ("at_once = 2", "at_once = 2.7", "play.at_once"),
        ("[play]", "tries = 2.5\n[play]", "program.tries"),
        ('["sh", "bot.sh"]', '["no-such-program"]', "program.command"),
        ('["sh", "bot.sh"]', '"./bot.sh"', "program.command"),
    ],
)
def test_what_cannot_work_is_said_before_the_bridge_plays(old, new, problem, tmp_path):
    file = tmp_path / "bridge.toml"
    text = CONFIG.format(url="https://site.example", bot="bot.sh")
    assert old in text
    file.write_text(text)
    read_config(file)
    (tmp_path / "bot.sh").write_text("exit 0")
    file.write_text(text.replace(old, new))
    with pytest.raises(ConfigError) as wrong:
        read_config(file)
    assert [each.partition(":")[0] for each in wrong.value.problems] == [problem]
    if "./" in new:
        (tmp_path / "bot.sh").chmod(0o755)
        read_config(file)


SHELL = SeatFacts("Shell", "Shellmaster", False, "invited", "")
OTHER = SeatFacts("Other", "Shellmaster", False, "invited", "")
ROBOT = SeatFacts("Clank", "Robot", True, "joined", "")
RULES = Rules("everyone", (), (), (), (), (), 2, 2, open=False, decline=True)


@pytest.mark.parametrize(
    ("changes", "rules", "expected"),
    [
        ({}, {}, "Shell"),
        ({}, {"rulesets": ("warlocks",)}, "ruleset"),
        ({}, {"paces": ("live",)}, "pace"),
        ({}, {"stakes": ("bots",)}, "stakes"),
        ({}, {"who": "bots"}, "Anna is not a bot"),
        ({"challenger_user": "Robot", "seats": [ROBOT, SHELL]}, {"who": "bots"}, "Shell"),
        ({"challenger_user": "Robot", "seats": [ROBOT, SHELL]}, {"who": "people"}, "Robot is a bot"),
        ({"may_join": ["Shell", "Other"], "seats": [OTHER]}, {}, "only invitations"),
        ({}, {"who": "nobody", "users": ("anna",)}, "Shell"),
        ({}, {"users": ("Otto",)}, "not among"),
        ({}, {"never": ("anna",)}, "never"),
        ({"limit": 3}, {}, "3 mages"),
        ({"limit": 3}, {"largest": 4}, "Shell"),
        ({"seats": []}, {}, "only invitations"),
        ({"seats": [], "challenger_user": "Anna"}, {"open": True}, "Shell"),
        ({"may_join": []}, {}, "none of the mages"),
    ],
)
def test_challenges_are_judged_by_who_ruleset_pace_stakes_and_size(changes, rules, expected):
    names = dict.fromkeys(Challenge.__dataclass_fields__)
    given = {
        "challenger_user": "Anna", "ruleset": "firetop-standard", "pace": "day", "stakes": "friendly", "limit": None,
        "may_join": ["Shell"], "seats": [SHELL],
    }  # fmt: skip
    challenge = Challenge(**{**names, **given, **changes})
    verdict = judge(challenge, replace(RULES, **rules), mages={"Shell"})
    assert expected in (verdict.mage, verdict.reason) or expected in verdict.broken
    assert bool(verdict.mage) == (expected == "Shell")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "stopped without an answer"),
        ("sleep 30 & sleep 30", "no answer within"),
        ("while :; do echo LH F; done", "more than"),
        (f"read line; echo {'x' * 15_000}; echo END", "more than"),
        # More than asyncio holds: it would wait for ever for the end of what nobody reads.
        ("read line; head -c 200000 /dev/zero | tr '\\0' y; echo END", "more than 100 lines or 15000 bytes"),
        ("read line; yes lines | head -n 5000; echo END", "more than"),
        ('read line; echo "LH $BRIDGE_TOKEN."; echo END', None),
    ],
)
def test_a_program_that_fails_is_stopped_and_none_learns_the_token(script, reason, tmp_path, monkeypatch):
    monkeypatch.setenv("BRIDGE_TOKEN", "fm_secret")

    async def story():
        program = Program(["sh", "-c", script], folder=Path(tmp_path), patience=1, hidden=["BRIDGE_TOKEN"])
        if reason is None:
            assert await program.ask({"mage": "Shell"}) == ["LH ."]
            await program.tell_end("Shell", 1.0)
        else:
            with pytest.raises(ProgramFailed, match=reason):
                await program.ask({"mage": "Shell"})
        assert program.process is None

    asyncio.run(story())


def test_a_program_that_talks_on_at_the_end_is_stopped(tmp_path):
    script = "read line; echo LH F; echo END; read line; head -c 200000 /dev/zero"

    async def story():
        program = Program(["sh", "-c", script], folder=tmp_path, patience=10)
        assert await program.ask({}) == ["LH F"]
        await asyncio.wait_for(program.tell_end("Shell", 1.0), 10)
        assert program.process is None

    asyncio.run(story())


@pytest.mark.parametrize("end", ["end", " End ", "\ufeffEND"])
def test_the_end_of_an_answer_may_be_written_in_any_case(end, tmp_path):
    async def story():
        program = Program(["sh", "-c", f"read line; echo LH F; echo '{end}'"], folder=tmp_path, patience=10)
        assert await program.ask({}) == ["LH F"]
        await program.stop()

    asyncio.run(story())


def test_a_surrender_that_the_site_refuses_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr("firetop_bridge.bridge.LOOK_SECONDS", 0.05)
    battle = SimpleNamespace(is_over=False, owes_orders=True, key="k1", turn="3", mages=[])
    tried = []

    class Site:
        async def read_battle(self, number, mage):
            return battle

        async def call(self, *given, **more):
            return {"key": "k1", "battle": 1, "turn": 3}

        async def surrender(self, number, *, mage, key):
            tried.append((mage, key))
            if len(tried) < 3:
                raise Problem(503, "unknown", "Busy", "")
            battle.is_over = True

    config = SimpleNamespace(
        command=["false"], folder=tmp_path, patience=5, token_env="X", tries=1, on_failure="surrender"
    )
    asyncio.run(asyncio.wait_for(Player(Site(), config, 1, "Shell").play(), 30))
    assert tried == [("Shell", "k1")] * 3


@pytest.mark.parametrize("failure", [Unreachable("Nobody answers."), Problem(503, "unavailable", "Busy", "")])
def test_an_invitation_is_declined_once_the_site_answers_again(failure):
    names = dict.fromkeys(Challenge.__dataclass_fields__)
    given = {
        "challenge": 7, "challenger_user": "Anna", "pace": "live", "revision": 1, "may_join": ["Shell"],
        "seats": [SHELL],
    }  # fmt: skip
    challenge, tried = Challenge(**{**names, **given}), []

    class Site:
        async def decline_challenge(self, number, **sent):
            tried.append((number, sent))
            if len(tried) == 1:
                raise failure

    async def story():
        bridge = Bridge(Site(), SimpleNamespace(rules=replace(RULES, paces=("day",)), at_once=1))
        with pytest.raises(type(failure)):
            await bridge._judge(challenge, {"Shell"}, busy=0)
        for _ in range(2):
            assert not await bridge._judge(challenge, {"Shell"}, busy=0)

    asyncio.run(story())
    assert tried == [(7, {"mage": "Shell", "reason": "pace"})] * 2


def test_what_a_program_says_before_it_is_asked_is_no_answer(tmp_path):
    said = tmp_path / "said"
    script = f"read line; echo LH F; echo END; echo RH P; echo END; touch {said}; read line; echo LH W; echo END"

    async def story():
        program = Program(["sh", "-c", script], folder=tmp_path, patience=10)
        assert await program.ask({}) == ["LH F"]
        async with asyncio.timeout(10):
            while not said.exists():
                await asyncio.sleep(0.01)
        # The lines are in the pipe: the loop reads them as it turns.
        await asyncio.sleep(0.05)
        assert await program.ask({}) == ["LH W"]
        await program.stop()

    asyncio.run(story())
