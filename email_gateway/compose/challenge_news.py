"""What happened to a challenge, in a subject and sentences, from the facts of a notice."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from challenges.words import describe_difference
from email_gateway.compose.classic import join_names
from fm_site.operations.moments import write_moment


class News(NamedTuple):
    """A subject, in which nothing stands that players wrote but names, and the sentences below it."""

    subject: str
    sentences: tuple[str, ...]


def describe_news(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> News:
    """Say what happened, with moments in that time zone. `kind` is that of one of the notices of challenges.notices."""
    told = describe_change(kind, facts, zone) if kind.startswith("change_") else describe_seats(kind, facts, zone)
    title, *sentences = told
    return News(f"Challenge {facts['number']}: {title}", tuple(filter(None, sentences)))


def describe_seats(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> tuple[str, ...]:
    """Return the title and sentences about who comes and who does not."""
    number, challenger, mage = facts["number"], facts.get("challenger", ""), facts.get("mage", "")
    names = list(facts.get("mages", ()))
    mages, have = join_names(names), "has" if len(names) == 1 else "have"
    waiting = join_names(list(facts.get("waiting_for", ())))
    missing = f"Still to answer: {waiting}." if waiting else ""
    if kind == "challenged" and facts.get("everyone"):
        return (
            f"{challenger} challenges everybody",
            f"{challenger} challenges every mage that is free, {mages} among them.",
        )
    return {
        "challenged": (f"{challenger} challenges {mages}", f"{challenger} challenges {mages} to a battle."),
        "challenge_accepted": (f"{mage} accepts", f"{mage} accepts challenge {number}.", missing),
        "challenge_declined": (
            f"{mage} declines",
            f"{mage} declines challenge {number}.",
            missing,
            name_alone(facts),
        ),
        "challenge_withdrawn": (
            f"{challenger} withdraws it",
            f"{challenger} withdraws challenge {number}. There is no battle.",
        ),
        "challenge_prodded": (
            "do you remember it?",
            f"Nothing has happened in challenge {number} for {facts.get('days', 0)} days. You may change or "
            f"withdraw it; if nothing happens{write_end(facts, zone)} it is closed by itself, and its mages are free.",
        ),
        "challenge_closed": (
            "it is closed",
            f"Nothing has happened in challenge {number} of {challenger} for too long. It is closed, and its mages are "
            "free.",
        ),
        "challenge_excluded": (
            f"the battle begins without {mages}",
            f"Challenge {number} has become a battle. {mages} {have} no part in it, as no answer came in time.",
        ),
        "challenge_uninvited": (
            f"not for {mages} any more",
            f"{mages} {have} no seat in challenge {number} any more, and no invitation to it.",
        ),
    }[kind]


def write_end(facts: Mapping[str, Any], zone: ZoneInfo) -> str:
    end = facts.get("closes_at")
    return f" until {write_moment(datetime.fromisoformat(end), zone)}" if end else ""


def name_alone(facts: Mapping[str, Any]) -> str:
    if not facts.get("alone"):
        return ""
    order = f"{facts['number']} {facts.get('challenger', '')}"
    return (
        f"Nobody is left who could join. CHANGEGAME {order} ADD <mages> challenges others, CHANGEGAME {order} OPEN "
        f"lets anyone in, WITHDRAW {order} calls it off."
    )


def describe_change(kind: str, facts: Mapping[str, Any], zone: ZoneInfo) -> tuple[str, ...]:
    """Return the title and sentences about a change."""
    number, proposer, change = facts["number"], facts["proposer"], facts["change"]
    words = [describe_difference(each["what"], each["before"], each["after"]) for each in facts["differences"]]
    what = ", ".join(each.sentence for each in words)
    name = f"change {change}" if change else "the challenge"
    why = "There is nothing left of it to change." if facts.get("reason") == "moot" else "Its time is over."
    if kind == "change_adopted" and not change:
        return "it is changed", f"{proposer} changes challenge {number}: {what}."
    return {
        "change_proposed": (
            f"{proposer} proposes {name}",
            f"{proposer} proposes {name} of challenge {number}: {what}.",
            describe_time(facts, zone),
        ),
        "change_adopted": (f"{name} is adopted", f"Change {change} of {proposer} is adopted: {what}."),
        "change_rejected": (f"{name} is rejected", f"Change {change} of {proposer} is rejected: {what}."),
        "change_taken_back": (f"{name} is taken back", f"{proposer} takes {name} back: {what}."),
        "change_lapsed": (f"{name} lapses", f"Change {change} of {proposer} lapses: {what}.", why),
    }[kind]


def describe_time(facts: Mapping[str, Any], zone: ZoneInfo) -> str:
    if "lapses_at" not in facts:
        return ""
    return f"You may accept or oppose it until {write_moment(datetime.fromisoformat(facts['lapses_at']), zone)}."
