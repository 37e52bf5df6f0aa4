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

import pytest
from django.utils import timezone
from firetop_bridge.__main__ import main
from firetop_bridge.accepting import judge
from firetop_bridge.bridge import Bridge
from firetop_bridge.config import ConfigError, Rules, check_names, read_config
from firetop_bridge.program import Program, ProgramFailed
from firetop_client import AsyncFiretop, Firetop
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
        check_names(replace(config, mages=("Shel",)), known, ["Shell"])
    assert unknown.value.problems == (
        "accept.paces: the site has no 'day'. Did you mean dayly?",
        "play.mages: the site has no 'Shel'. Did you mean Shell?",
    )
    secret = tmp_path / "token"
    secret.write_text("fm_secret\n")
    secret.chmod(0o644)
    by_file = replace(config, token_env="", token_file=secret)
    with pytest.raises(ConfigError, match="chmod 600"):
        by_file.read_token()
    secret.chmod(0o600)
    assert by_file.read_token() == "fm_secret" and "fm_secret" not in repr(by_file)


RULES = Rules("everyone", (), (), (), (), (), 2, 2, open=False, decline=True)


@pytest.mark.parametrize(
    ("changes", "rules", "expected"),
    [
        ({}, {}, "Shell"),
        ({}, {"rulesets": ("warlocks",)}, "ruleset"),
        ({}, {"paces": ("live",)}, "pace"),
        ({}, {"stakes": ("bots",)}, "stakes"),
        ({}, {"who": "bots"}, "Anna is not a bot"),
        ({"challenger_user": "Robot"}, {"who": "bots"}, "Shell"),
        ({"challenger_user": "Robot"}, {"who": "people"}, "Robot is a bot"),
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
        "may_join": ["Shell"], "seats": [SeatFacts("Shell", "Shellmaster", "invited", "")],
    }  # fmt: skip
    challenge = Challenge(**{**names, **given, **changes})
    verdict = judge(challenge, replace(RULES, **rules), mages=(), bots={"Robot"})
    assert expected in (verdict.mage, verdict.reason) or expected in verdict.broken
    assert bool(verdict.mage) == (expected == "Shell")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "stopped without an answer"),
        ("sleep 30 & sleep 30", "no answer within"),
        ("while :; do echo LH F; done", "more than"),
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
