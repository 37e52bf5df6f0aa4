"""Emails about battles: the story of a turn, the state of the battle, and the block of orders to answer with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from duels.errors import BattleNotFound, UnreadableBattle
from duels.event_words import explain_event
from duels.names import list_result_names, listed, name_agreed_draw
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.battle_view import BattleView, StoryLine, TurnStory, Window
from duels.selectors.chat import list_lines_for_player
from duels.selectors.proof import get_proof_for_anyone, list_closings_for_anyone
from duels.selectors.result_news import EVENTS_THAT_ENDED
from duels.selectors.viewer import get_battle_for_viewer
from duels.stuck_words import describe_stuck_turn
from email_gateway.compose.answers import (
    compose_answer,
    find_reply_address,
    find_view,
    wrap_results,
    write_answered_parts,
)
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import (
    MOST_BEADS,
    MailLink,
    describe_monster,
    explain_time,
    link_own_pages,
    link_to_orders,
    list_links,
    list_strings,
    render_plain,
    split_tables,
    write_battle_subject,
    write_order_block,
    write_running_series,
    write_scores,
    write_settings_line,
    write_status,
    write_stop_link,
    write_threats,
    write_time,
    write_tombstone,
)
from email_gateway.conversation import Conversation
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to, link_to_path
from email_gateway.text.layout import wrap
from ladder.models import ScoreKind
from ladder.stakes import STAKES
from notifications.kinds import TURN_STORIES

Earlier = tuple[str, Mapping[str, Any]]
# The most turns shown as beads, including the one that an email is about.
LATEST = Window(latest=MOST_BEADS + 1)
TURNS = ("turn_resolved", "battle_finished")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
NOTHING_SEEN = gettext_lazy("Your mage saw nothing happen.")


@dataclass(frozen=True)
class TurnSection:
    """The part of an email about one turn: the sentences before its story, the story that it sums up first (or None),
    and the lines of the story."""

    opening: list[str]
    story: TurnStory | None
    lines: list[StoryLine]

    def write(self) -> list[str]:
        lines = [wrap(line.text) for line in self.lines]
        if self.story is None:
            return [*self.opening, *lines]
        first, *others = [line.text for line in self.story.summary.open_lines]
        return ["\n".join([wrap(" ".join([*self.opening, first])), *map(wrap, others)]), *lines]


@composes("battle_started", "turn_resolved", "stage_asked", "turn_stuck", "battle_finished", "battle_intervened")
def compose_battle_mail(kind: str, facts: Mapping[str, Any], user: User, *, earlier: Sequence[Earlier] = ()) -> Mail:
    """Return the email to this user about a battle, as they may see it now. Raises NothingToSend.

    `earlier` are the kinds and facts of notices not sent yet: their stories come before this one, and the state of the
    battle comes once.
    """
    all_facts = [facts, *(one for _kind, one in earlier)]
    try:
        view = get_battle_for_viewer(number=facts["battle"], user=user, draft="", window=LATEST)
        if not all(find_story(view, one) for one in all_facts if "seq" in one):  # from longer ago
            view = get_battle_for_viewer(number=facts["battle"], user=user, draft="")
    except BattleNotFound as error:
        raise NothingToSend from error
    except UnreadableBattle as error:
        return compose_unreadable(error)
    before = [describe_turn(what, view, turn) for what, turn in earlier]
    stories = [*before, describe_turn(kind, view, facts)]
    chat = list_chat(view, user, all_facts) if kind in TURNS else ()
    sealed = [line for what, turn in (*earlier, (kind, facts)) for line in list_commitments(what, view, turn)]
    return write_report(view, user, stories=stories, chat=chat, commitments=sealed)


def compose_answered_report(talk: Conversation, *, kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the answer to the last orders of a turn: the verdict on each line, and the report."""
    view = find_view(talk, LATEST)
    if view is None:
        return compose_answer(talk)
    answered = write_answered_parts(talk)
    chat = list_chat(view, user, [facts]) if kind in TURNS else ()
    report = write_report(
        view,
        user,
        stories=[describe_turn(kind, view, facts)],
        answered=answered,
        chat=chat,
        commitments=list_commitments(kind, view, facts),
    )
    return replace(
        report,
        text="\n\n".join([*wrap_results(talk, answered), report.text]),
        in_reply_to=talk.request.letter.message_id,
        automatic="auto-replied",
        list_id="",
        unsubscribe="",
        secret=talk.answer.secret,
    )


def write_report(
    view: BattleView,
    user: User,
    *,
    stories: Sequence[TurnSection],
    answered: Sequence[str] = (),
    chat: Sequence[str] = (),
    commitments: Sequence[str] = (),
) -> Mail:
    """Return an email with these stories, the state of the battle after them, and the reader's possible orders.

    `answered` is shown above all that in the HTML part, `chat` is what the other players wrote in the chat,
    `commitments` are the hashes that the reader can save.
    """
    heading = write_heading(view)
    order_block = write_order_block(view) if view.owes else ""
    is_new = not view.stories and not view.over
    time = [write_time(view), explain_time(view) if is_new else "", wrap(explain_event(view)) if is_new else ""]
    after = [write_end_scores(view), write_what_next(view)] if view.over else []
    hints = [write_running_series(view), write_threats(view)]
    parts = [
        f"{heading}\n{view.battle}, {describe_sides(view)}",
        *(part for section in stories for part in section.write()),
        "\n".join([_("Players' room since the last turn:"), *(wrap(line) for line in chat)]) if chat else "",
        write_status(view),
        *time,
        *after,
        *hints,
        order_block,
        "\n".join([introduce_commitments(view), *commitments]) if commitments else "",
        write_footer(view),
    ]
    subject, address = write_battle_subject(view, user, heading), find_reply_address(user, view)
    links = link_to_orders(order_block, to=address, subject=subject)
    return Mail(
        subject=subject,
        links=list_links(links),
        sender=name_errand(view),
        text="\n\n".join(part for part in parts if part) + "\n",
        html=render_battle(
            view,
            mail_links=links,
            heading=heading,
            stories=stories,
            time=time,
            hints=hints,
            after=after,
            order_block=order_block,
            answered=answered,
            chat=chat,
            commitments=[introduce_commitments(view), *commitments] if commitments else [],
        ),
        reply_to=address,
        thread=f"battle.{view.battle.number}",
        list_id=f"{view.battle.number}.battles",
        unsubscribe=write_stop_link(user, "mail_turns" if view.mine else f"battle.{view.battle.number}"),
    )


def write_end_scores(view: BattleView) -> str:
    """Return the scores after the end of a battle that was for scores; "" for any other."""
    return write_scores(ScoreKind(view.battle.kind).value) if STAKES[view.terms.stakes].scores else ""


def describe_turn(kind: str, view: BattleView, facts: Mapping[str, Any]) -> TurnSection:
    story = None if kind == "battle_intervened" else find_story(view, facts)
    opening, lines = open_report(kind, view, facts, story), list_lines(story)
    if story is not None and lines:
        died = {line.touch.being for line in story.lines if line.kind == "mage_dies" and line.touch}
        fallen = [row.name for row in view.combatants if row.standing == "dead" and row.name in died]
        unreal = explain_unreal_deaths(view, fallen)
        lines = [*lines, StoryLine(0, "", unreal, "")] if unreal else lines
    return TurnSection(opening, story if kind in TURN_STORIES else None, lines)


def compose_unreadable(error: UnreadableBattle) -> Mail:
    """Return the text about a battle whose rules are missing: nothing is lost."""
    subject = _("Battle %(number)s cannot be shown now") % {"number": error.number}
    page = link_to("duels:battle", error.number)
    return Mail(
        subject=subject,
        text=f"{wrap(str(error))}\n\n{page}\n",
        html=render_plain(heading=subject, parts=[str(error)], button=(_("Open the battle"), page)),
    )


def list_chat(view: BattleView, user: User, all_facts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the other players' chat lines from the turn before the email's first turn to its last.

    Both ends are moments at which a turn was resolved, so each line is in one email, and the email's text is the same
    whenever it is written.
    """
    keys = sorted((one["seq"], one["attempt"]) for one in all_facts if "seq" in one)
    moments = {(turn.seq, turn.attempt): turn.resolved_at for turn in view.turns}
    until = moments.get(keys[-1]) if keys else None
    if until is None or not view.mine:
        return []
    before = [moment for key, moment in moments.items() if key < keys[0] and moment is not None]
    since = max(before, default=LONG_AGO)
    lines = list_lines_for_player(battle=view.battle.number, user=user, since=since, until=until)
    return [f"{line.name}: {line.text}" for line in lines]


def list_commitments(kind: str, view: BattleView, facts: Mapping[str, Any]) -> list[str]:
    """Return the commitments that belong to a notice: to seed and terms at the start, and to the orders of a turn."""
    number = view.battle.number
    if kind in ("battle_started", "battle_intervened"):
        commitment = get_proof_for_anyone(number=number).commitment
        return [_("seed and terms %(hash)s") % {"hash": commitment}] if commitment else []
    if kind not in TURNS or "seq" not in facts:
        return []
    closings = list_closings_for_anyone(number=number, seq=facts["seq"], attempt=facts["attempt"])
    return [f"{each.label}.{each.stage} {each.mage} {each.value}" for each in closings]


def introduce_commitments(view: BattleView) -> str:
    return _("Hashes that prove the battle: %(link)s") % {"link": link_to_path(f"/battles/{view.battle.number}/proof/")}


def find_story(view: BattleView, facts: Mapping[str, Any]) -> TurnStory | None:
    key = (facts.get("seq"), facts.get("attempt"))
    return next((story for story in reversed(view.stories) if (story.seq, story.attempt) == key), None)


def list_lines(story: TurnStory | None) -> list[StoryLine]:
    """Return the lines of the story, without what comes before it: that the turn begins, and the summary."""
    if story is None:
        return []
    return [
        line
        for line in story.lines
        if line.text and line.kind != "turn_begins" and f" {line.text} " not in f" {story.summary.text} "
    ]


def write_heading(view: BattleView) -> str:
    """Return what the reader must do ("Turn 8: your move"), or whom the battle is waiting for."""
    if view.battle.status == "annulled":
        return _("The battle is annulled")
    if view.over:
        return describe_end(view)
    slots = {"turn": view.battle.label, "mages": listed(view.waiting_for)}
    if view.stuck:
        return _("Turn %(turn)s is stuck") % slots
    if view.owes:
        return (
            _("Turn %(turn)s: a question for you") if view.stage_key.stage else _("Turn %(turn)s: your move")
        ) % slots
    return (_("Turn %(turn)s: waiting for %(mages)s") if view.waiting_for else _("Turn %(turn)s")) % slots


def name_errand(view: BattleView) -> str:
    """Return what the reader must do, for the sender's name in a list of emails; "" for nothing."""
    if not view.owes:
        return ""
    return _("a question") if view.stage_key.stage else _("your move")


def write_preheader(heading: str, place: str, summary: str = "") -> str:
    """Return the words that a list of emails shows next to the subject: the summary of the turn, or else the first two
    lines of the text, as one sentence each."""
    return summary or f"{heading}. {place}."


def describe_end(view: BattleView) -> str:
    winners = list_result_names(view.result, "winners")
    if winners:
        return _("The end: %(mages)s won") % {"mages": listed(winners)}
    sharing = list_result_names(view.result, "sharing")
    if sharing:
        return _("The end: a draw between %(mages)s") % {"mages": listed(sharing)}
    if agreed := name_agreed_draw(view.result):
        end = _("The end")
        return f"{end}: {agreed}"
    ended_by = EVENTS_THAT_ENDED.get(str((view.result or {}).get("reason")))
    if ended_by == "league":
        return _("The end: the league has ended the duel")
    if ended_by == "cup":
        return _("The end: the cup has ended the duel")
    return _("The end: nobody won")


def describe_sides(view: BattleView) -> str:
    names = [row.name for row in view.combatants]
    if len(names) != 2:
        return listed(names)
    return _("%(mage)s against %(other)s") % {"mage": names[0], "other": names[1]}


def open_report(kind: str, view: BattleView, facts: Mapping[str, Any], story: TurnStory | None) -> list[str]:
    """Return the sentences before the story."""
    if kind == "battle_started":
        bots = [row.name for row in view.combatants if row.is_bot]
        message = ngettext("%(mages)s is a bot.", "%(mages)s are bots.", len(bots)) % {"mages": listed(bots)}
        handicap = f"{view.handicap}." if view.handicap else ""
        return [wrap(" ".join(words for words in (open_battle(view), message if bots else "", handicap) if words))]
    if kind == "turn_stuck":
        if not view.stuck:
            raise NothingToSend
        return [wrap(sentence) for sentence in describe_stuck_turn(view)]
    if kind == "battle_intervened":
        return [wrap(sentence) for sentence in describe_entry(view, facts)]
    turn = _("Turn %(turn)s.") % {"turn": facts.get("label")}
    return [turn] if story is not None else [turn, str(NOTHING_SEEN)]


def open_battle(view: BattleView) -> str:
    """Say that the battle has begun, and who fights."""
    if view.battle.kind == "duel":
        message = _("The duel has begun. %(sides)s: they bow, and can cast at will.")
        to_mine = _("The duel has begun. %(sides)s: you bow, and can cast at will.")
    else:
        message = _("The melee has begun. %(sides)s: they bow, and can cast at will.")
        to_mine = _("The melee has begun. %(sides)s: you bow, and can cast at will.")
    return (to_mine if view.mine else message) % {"sides": describe_sides(view)}


def describe_entry(view: BattleView, facts: Mapping[str, Any]) -> list[str]:
    """Describe a janitor's action, the reason, and the question to the reader. Raises NothingToSend."""
    entry = next((each for each in view.journal if each.number == facts.get("entry")), None)
    if entry is None:
        raise NothingToSend
    if facts.get("undone") and entry.undone_at is not None:
        undone = _("The janitor %(janitor)s has undone this: %(what)s")
        return [
            undone % {"janitor": entry.undone_by, "what": entry.text},
            _("Reason: %(reason)s") % {"reason": entry.undone_reason},
        ]
    why = _("The janitor %(janitor)s gives this reason: %(reason)s")
    sentences = [entry.text, why % {"janitor": entry.by, "reason": entry.reason}]
    return [*sentences, _("Agree or refuse on the battle page.")] if view.question is not None else sentences


def write_what_next(view: BattleView) -> str:
    """Return what the reader can read and do after the end."""
    number = view.battle.number
    read = _("SHOW %(number)s sends the whole battle as a table, DESCRIBE %(number)s as a story.") % {"number": number}
    more = _("CHALLENGES lists open challenges.")
    return wrap(f"{read} {more}" if view.stories else more)


def write_footer(view: BattleView) -> str:
    page = link_to_path(f"/battles/{view.battle.number}/")
    link = _("The battle: %(link)s") % {"link": page}
    return f"{wrap(explain_why_sent(view))}\n{link}\n{write_settings_line()}"


def name_button(view: BattleView) -> str:
    return _("Play turn %(turn)s") % {"turn": view.battle.label} if view.owes else _("Open the battle")


def explain_why_sent(view: BattleView) -> str:
    """Return why the reader gets this email."""
    mine = [combatant.mage.name for combatant in view.mine]
    if not mine:
        return _("You get this because you follow %(battle)s.") % {"battle": view.battle}
    message = ngettext(
        "You get this because %(mages)s fights in %(battle)s.",
        "You get this because %(mages)s fight in %(battle)s.",
        len(mine),
    )
    if not view.over and all(combatant.standing != "in" for combatant in view.mine):
        message = ngettext(
            "You get this because %(mages)s fought in %(battle)s.",
            "You get this because %(mages)s fought in %(battle)s.",
            len(mine),
        )
    return message % {"mages": listed(mine), "battle": view.battle}


def split_heading(part: str) -> dict[str, str]:
    """Separate a heading, which may be broken into lines, from the indented rows below it."""
    heading, _mark, rows = part.partition("\n  ")
    return {"words": " ".join(heading.split()), "rows": "\n".join(row.removeprefix("  ") for row in rows.split("\n"))}


def render_battle(
    view: BattleView,
    *,
    heading: str,
    mail_links: Sequence[MailLink],
    stories: Sequence[TurnSection],
    time: Sequence[str],
    hints: Sequence[str],
    after: Sequence[str],
    order_block: str,
    answered: Sequence[str],
    chat: Sequence[str],
    commitments: Sequence[str],
) -> str:
    """Return the HTML part: tables, inline styles, nothing loaded from elsewhere; its text says everything too."""
    intro, __, block = order_block.partition("\n\n  ")
    story = stories[-1].story
    summary = story.summary.text if story else ""
    return render_to_string(
        "email_gateway/battle_mail.html",
        {
            "kicker": f"{view.battle}, {describe_sides(view)} ({view.view.book})",
            "heading": heading,
            "preheader": write_preheader(heading, f"{view.battle}, {describe_sides(view)}", summary),
            "mail_links": mail_links,
            "blocks": [split_tables(part) for part in answered],
            "sections": stories,
            "chat": chat,
            "commitments": [link_own_pages(row) for row in commitments],
            "button": name_button(view),
            "page": link_to_path(f"/battles/{view.battle.number}/"),
            "preferences": link_to("accounts:notices"),
            "time": [" ".join(words.split()) for words in time if words],
            "strings": list_strings(view),
            "hints": [split_heading(part) for part in hints if part],
            "after": [split_tables(part) for part in after if part],
            "monsters": [describe_monster(monster) for monster in view.view.monsters],
            "tombstone": " ".join(write_tombstone(view).split()),
            "asked": intro if block else "",
            "order_block": "\n".join(line.removeprefix("  ") for line in block.split("\n")) if block else "",
            "why": explain_why_sent(view),
        },
    )
