"""The state of a challenge as one viewer may see it, in the layout of the old server's status blocks."""

import textwrap
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from challenges.shown import ShownChallenge, ShownProposal, ShownSeat
from duels.names import listed
from operations.text.dates import write_moment

WIDTH = 72
STATES = {
    "joined": pgettext_lazy("mage", "joined"),
    "invited": pgettext_lazy("mage", "not answered yet"),
    "declined": pgettext_lazy("mage", "declined"),
    "excluded": pgettext_lazy("mage", "excluded"),
}
OVER = {
    "started": gettext_lazy("Challenge %(number)s has become battle %(number)s."),
    "withdrawn": gettext_lazy("Challenge %(number)s is withdrawn."),
    "stale": gettext_lazy("Challenge %(number)s is closed."),
}


def write_challenge_status(row: ShownChallenge, zone: ZoneInfo) -> str:
    """Return the status block: every mage, the terms, how the battle starts, and each pending proposal, with
    times in the reader's time zone."""
    if row.is_over:
        return OVER[row.status] % {"number": row.number}
    mages = [write_seat(seat) for seat in row.seating.seats if seat.state in STATES]
    terms = write_table(list_terms(row))
    return "\n\n".join(
        [write_heading(row), "\n".join(mages), terms, *(write_proposal(each, row, zone) for each in row.proposals)]
    )


def write_heading(row: ShownChallenge) -> str:
    mine = [seat.name for seat in row.seating.seats if seat.is_mine and seat.state in ("joined", "invited")]
    if row.seating.is_duel:
        message = _("Duel Challenge Status (challenge %(number)s):")
        for_mine = _("Duel Challenge Status for %(mages)s (challenge %(number)s):")
    else:
        message = _("Melee Challenge Status (challenge %(number)s):")
        for_mine = _("Melee Challenge Status for %(mages)s (challenge %(number)s):")
    return (for_mine if mine else message) % {"mages": listed(mine), "number": row.number}


def write_seat(seat: ShownSeat) -> str:
    slots = {"mage": seat.name, "user": seat.user, "state": describe_seat(seat)}
    return _(" %(mage)s (%(user)s) State: %(state)s") % slots


def describe_seat(seat: ShownSeat) -> str:
    """Describe a seat, and how reliable its user is: "joined, challenger, 97 % reliable"."""
    challenger = _("challenger") if seat.is_challenger else ""
    kept = seat.reliability if seat.state in ("joined", "invited") and not seat.is_bot else ""
    bot = _("a bot") if seat.is_bot else ""
    return ", ".join(words for words in (str(STATES[seat.state]), bot, challenger, kept) if words)


def list_terms(row: ShownChallenge) -> list[tuple[str, str]]:
    """Return the challenge as labels and values, for both the text and the HTML part."""
    limit = pgettext("limit", "none")
    if row.seating.limit:
        limit = ngettext("%(count)s mage", "%(count)s mages", row.seating.limit) % {"count": row.seating.limit}
    decides = _("everyone who has joined votes")
    if row.authoritarian:
        decides = _("%(mage)s decides") % {"mage": row.challenger}
    rows = [
        (_("Battle"), row.words.terms),
        (pgettext("label", "Joining"), row.words.openness),
        (_("Limit"), limit),
        (pgettext("label", "Start"), row.words.start),
        (_("Changes"), decides),
    ]
    if row.words.limit:
        rows.append((pgettext("label", "Wins"), row.words.limit))
    if row.seating.has_live_link:
        rows.insert(2, (_("Link"), _("anyone with the link can join")))
    return [*rows, (_("Comment"), f"“{row.comment}”")] if row.comment else rows


def write_proposal(proposal: ShownProposal, row: ShownChallenge, zone: ZoneInfo) -> str:
    """Return one pending proposal, with who is for it and who is against it."""
    slots = {
        "change": proposal.number,
        "mage": proposal.proposer,
        "moment": write_moment(proposal.expires_at, zone),
    }
    head = fill(_("Change %(change)s, proposed by %(mage)s, until %(moment)s:") % slots, indent=" ")
    parts = [fill(each.sentence, indent="  ") for each in proposal.differences]
    return "\n".join([head, *parts, write_table(list_votes(proposal, row))])


def write_table(rows: list[tuple[str, str]]) -> str:
    """Return labels and values in two columns."""
    width = max(9, *(len(label) + 1 for label, _value in rows))
    return "\n".join(fill(value, indent=f"  {f'{label}:':<{width}} ") for label, value in rows)


def fill(text: str, *, indent: str) -> str:
    """Wrap a text so that later lines align with its start."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))


def list_votes(proposal: ShownProposal, row: ShownChallenge) -> list[tuple[str, str]]:
    """Return the votes on a proposal, and what would decide it."""
    if row.authoritarian:
        return [(_("Decides"), row.challenger)]
    names = {
        stance: [
            _("%(mage)s (all changes)") % {"mage": vote.name} if vote.by_everything else vote.name
            for vote in proposal.votes
            if vote.stance == stance
        ]
        for stance in ("for", "against", "")
    }
    decided = ngettext(
        "by %(count)s point: 2 for each mage who has joined, 3 for the challenger",
        "by %(count)s points: 2 for each mage who has joined, 3 for the challenger",
        proposal.needed,
    )
    return [
        (pgettext("votes", "For"), (listed(names["for"]) or _("nobody")) + f" ({count_points(proposal.points_for)})"),
        (_("Against"), (listed(names["against"]) or _("nobody")) + f" ({count_points(proposal.points_against)})"),
        (_("No vote"), listed(names[""]) or _("nobody")),
        (_("Decided"), decided % {"count": proposal.needed}),
    ]


def count_points(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}


def list_answers(challenge: ShownChallenge) -> list[tuple[str, str]]:
    """Return the answers that the challenge asks the reader for: the words on a button, and the order line."""
    if challenge.is_over:
        return []
    act, number = challenge.own.actions, challenge.number
    answers = [(_("Accept as %(mage)s") % {"mage": name}, f"ACCEPT {number} {name}") for name in act.accept]
    answers += [(_("Decline as %(mage)s") % {"mage": name}, f"DECLINE {number} {name}") for name in act.decline]
    for proposal in challenge.proposals:
        change = proposal.number
        for name in proposal.accept:
            words = _("Accept change %(change)s as %(mage)s") % {"change": change, "mage": name}
            answers.append((words, f"ACCEPT {number} {name} CHANGE {change}"))
        for name in proposal.oppose:
            words = _("Oppose change %(change)s as %(mage)s") % {"change": change, "mage": name}
            answers.append((words, f"OPPOSE {number} {name} CHANGE {change}"))
    return answers


def list_orders(challenge: ShownChallenge) -> list[str]:
    """Return the order lines that the reader may answer with, the likeliest first."""
    if challenge.is_over:
        return []
    act, number = challenge.own.actions, challenge.number
    lines = [f"ACCEPT {number} {name}" for name in act.accept]
    lines += [f"DECLINE {number} {name}" for name in act.decline]
    for proposal in challenge.proposals:
        lines += [f"ACCEPT {number} {name} CHANGE {proposal.number}" for name in proposal.accept]
        lines += [f"OPPOSE {number} {name} CHANGE {proposal.number}" for name in proposal.oppose]
        lines += [f"WITHDRAW {number} {proposal.take_back} CHANGE {proposal.number}"] if proposal.take_back else []
    starter = act.start or (act.propose[0] if act.propose and len(challenge.seating.joined) > 1 else "")
    lines += [f"CHANGEGAME {number} {starter} START"] if starter else []
    lines += [f"INVITE {number} {act.link}"] if act.link else []
    lines += [f"REVOKE {number} {act.withdraw}"] if act.withdraw and challenge.seating.has_live_link else []
    lines += [f"DECLINE {number} {name}" for name in act.leave]
    return lines + ([f"WITHDRAW {number} {act.withdraw}"] if act.withdraw else [])


def write_order_offer(row: ShownChallenge) -> str:
    """Return the lines as the block that an email ends with, or nothing."""
    lines = list_orders(row)
    if not lines:
        return ""
    return "\n".join([_("Reply to this email with one of these lines:"), "", *(f"  {line}" for line in lines)])
