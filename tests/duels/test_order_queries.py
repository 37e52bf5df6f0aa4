"""How many statements an order costs, with those that open and close the transaction: a turn's hot path."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Mage, User
from accounts.services.tokens import issue_api_token
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage

NOT_RESOLVING, RESOLVING = 8, 21
# More if nothing of the player was noted for a minute.
OF_ACTIVITY = 2


def begin(*names: str) -> Fight:
    """A battle of users who were last seen an hour ago: a real order comes later than the one before."""
    fight = start_fight(*(make_mage(name) for name in names))
    before = timezone.now() - timedelta(hours=1)
    User.objects.update(last_active_at=before)
    Mage.objects.update(last_active_at=before)
    return fight


def let_in(fight: Fight) -> dict[str, str]:
    now = timezone.now()
    return {name: issue_api_token(user=fight.user(name), name="test", now=now)[1] for name in fight.names}


def send(fight: Fight, token: str, orders: str) -> tuple[str, CaptureQueriesContext]:
    body = json.dumps({"orders": orders, "ready": True})
    with CaptureQueriesContext(connection) as queries:
        answer = Client().post(
            f"/api/battles/{fight.number}/orders/",
            body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
    return answer.json()["outcome"], queries


def tell(queries: CaptureQueriesContext) -> str:
    return "\n".join(each["sql"][:160] for each in queries.captured_queries)


@pytest.mark.django_db
@pytest.mark.parametrize("turns", [2, 12])
def test_an_order_takes_eight_statements_and_a_turn_twenty_one_however_long_the_battle_is(turns):
    fight = begin("Froodal", "Bung")
    tokens = let_in(fight)
    for _ in range(turns):
        first = send(fight, tokens["Froodal"], "LH -\nRH -")
        last = send(fight, tokens["Bung"], "LH -\nRH -")
    assert (first[0], last[0]) == ("ready", "resolved")
    assert len(first[1]) <= NOT_RESOLVING, tell(first[1])
    assert len(last[1]) <= RESOLVING, tell(last[1])
    Mage.objects.update(last_active_at=timezone.now() - timedelta(hours=1))
    back = send(fight, tokens["Froodal"], "LH -\nRH -")[1]
    assert NOT_RESOLVING < len(back) <= NOT_RESOLVING + OF_ACTIVITY, tell(back)


@pytest.mark.django_db
def test_a_melee_takes_no_more_queries():
    fight = begin("Ayla", "Borin", "Cormac", "Dervla", "Esk")
    tokens = let_in(fight)
    for _ in range(2):
        sent = [send(fight, token, "LH -\nRH -") for token in tokens.values()]
    assert [outcome for outcome, _ in sent] == ["ready"] * 4 + ["resolved"]
    assert max(len(queries) for _, queries in sent[:-1]) <= NOT_RESOLVING
    assert len(sent[-1][1]) <= RESOLVING, tell(sent[-1][1])


@pytest.mark.django_db
def test_a_program_leaves_no_session_and_one_trace_of_each_kind_a_day():
    fight = begin("Froodal", "Bung")
    token = let_in(fight)["Froodal"]
    for _ in range(3):
        send(fight, token, "LH -\nRH -")
    assert sorted(fight.user("Froodal").traces.values_list("kind", flat=True)) == ["address", "network"]
    answer = Client().get(f"/api/battles/{fight.number}/", headers={"Authorization": f"Bearer {token}"})
    assert not answer.cookies


@pytest.mark.django_db
def test_the_form_reads_the_battle_once_to_draw_it():
    fight = begin("Froodal", "Bung")
    players = {}
    for name in fight.names:
        players[name] = Client()
        players[name].force_login(fight.user(name))
        players[name].get(f"/battles/{fight.number}/")
    for _ in range(2):
        sent = [press_ready(fight, players[name], name) for name in fight.names]
    drawn = len(ask_for_fragment(fight, players["Froodal"]))
    # The order itself, less the token and the mage that the page reads anyway.
    assert len(sent[0]) <= drawn + NOT_RESOLVING, tell(sent[0])
    assert len(sent[1]) <= drawn + RESOLVING, tell(sent[1])


def press_ready(fight: Fight, client: Client, name: str) -> CaptureQueriesContext:
    form = {"act": "ready", "mage": name, "stage": str(fight.key()), "LH": "-", "RH": "-"}
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(f"/battles/{fight.number}/?fragment=board", form)
    assert answer.status_code == 200
    return queries


def ask_for_fragment(fight: Fight, client: Client) -> CaptureQueriesContext:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/battles/{fight.number}/?fragment=board").status_code == 200
    return queries
