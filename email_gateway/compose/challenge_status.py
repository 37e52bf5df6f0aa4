"""How a challenge stands, in the layout of the old server's status blocks, in our words, as one viewer may see it."""

import textwrap
from zoneinfo import ZoneInfo

from challenges.rows import ChallengeRow, ProposalRow, SeatRow
from email_gateway.compose.classic import join_names
from fm_site.operations.moments import write_moment

WIDTH = 72
STATES = {
    "joined": "joined",
    "invited": "not answered yet",
    "declined": "declined",
    "excluded": "excluded",
}
OVER = {
    "started": "Challenge {number} has become battle {number}.",
    "withdrawn": "Challenge {number} is withdrawn.",
    "stale": "Challenge {number} is closed.",
}


def write_challenge_status(row: ChallengeRow, zone: ZoneInfo) -> str:
    """Return the status block: every mage, the terms, how the battle starts, and each change that waits for votes, with
    moments in the reader's time zone."""
    if row.is_over:
        return OVER[row.status].format(number=row.number)
    mages = [write_seat(seat) for seat in row.seats if seat.state in STATES]
    terms = write_table(list_terms(row))
    return "\n\n".join(
        [write_heading(row), "\n".join(mages), terms, *(write_proposal(each, row, zone) for each in row.proposals)]
    )


def write_heading(row: ChallengeRow) -> str:
    mine = [seat.name for seat in row.seats if seat.is_mine and seat.state in ("joined", "invited")]
    whose = f" for {join_names(mine)}" if mine else ""
    return f"{'Duel' if row.is_duel else 'Melee'} Challenge Status{whose} (challenge {row.number}):"


def write_seat(seat: SeatRow) -> str:
    return f" {seat.name} ({seat.user}) State: {describe_seat(seat)}"


def describe_seat(seat: SeatRow) -> str:
    """Say how it is with a seat, and how reliable its user is: "joined, challenger, 97 % reliable"."""
    challenger = "challenger" if seat.is_challenger else ""
    kept = seat.reliability if seat.state in ("joined", "invited") else ""
    return ", ".join(words for words in (STATES[seat.state], challenger, kept) if words)


def list_terms(row: ChallengeRow) -> list[tuple[str, str]]:
    """What the challenge is, as labels and values; both stand in the text and in the HTML part."""
    limit = f"{row.limit} mages" if row.limit else "none"
    rows = [
        ("Battle", row.terms_words),
        ("May join", row.openness_words),
        ("Limit", limit),
        ("Start", row.start_words),
        ("Changes", f"{row.challenger} decides" if row.authoritarian else "those who have joined vote"),
    ]
    if row.has_live_link:
        rows.insert(2, ("Link", "a link lets its reader join"))
    return [*rows, ("Comment", f"“{row.comment}”")] if row.comment else rows


def write_proposal(proposal: ProposalRow, row: ChallengeRow, zone: ZoneInfo) -> str:
    """Return one change that waits for votes: what it is, who is for it, who against."""
    until = write_moment(proposal.lapses_at, zone)
    head = fill(f"Change {proposal.number}, proposed by {proposal.proposer}, until {until}:", indent=" ")
    parts = [fill(each.sentence, indent="  ") for each in proposal.differences]
    return "\n".join([head, *parts, write_table(list_votes(proposal, row))])


def write_table(rows: list[tuple[str, str]]) -> str:
    """Return labels and values in two columns."""
    return "\n".join(fill(value, indent=f"  {label + ':':<9} ") for label, value in rows)


def fill(text: str, *, indent: str) -> str:
    """Break a text so that the lines after the first stand below its beginning."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))


def list_votes(proposal: ProposalRow, row: ChallengeRow) -> list[tuple[str, str]]:
    """Who says what on a change, and what decides it."""
    if row.authoritarian:
        return [("Decides", row.challenger)]
    names = {
        stance: [
            vote.name + (" (all changes)" if vote.by_everything else "")
            for vote in proposal.votes
            if vote.stance == stance
        ]
        for stance in ("for", "against", "")
    }
    return [
        ("For", f"{join_names(names['for']) or 'nobody'} ({count_points(proposal.points_for)})"),
        ("Against", f"{join_names(names['against']) or 'nobody'} ({count_points(proposal.points_against)})"),
        ("Unsaid", join_names(names[""]) or "nobody"),
        ("Decided", f"by {count_points(proposal.needed)}: 2 for each mage that has joined, 3 for the challenger"),
    ]


def count_points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def list_orders(row: ChallengeRow) -> list[str]:
    """Return the order lines that the reader may answer with, the likeliest first."""
    if row.is_over:
        return []
    act, number = row.actions, row.number
    lines = [f"ACCEPT {number} {name}" for name in act.accept]
    lines += [f"DECLINE {number} {name}" for name in act.decline]
    for proposal in row.proposals:
        lines += [f"ACCEPT {number} {name} CHANGE {proposal.number}" for name in proposal.accept]
        lines += [f"OPPOSE {number} {name} CHANGE {proposal.number}" for name in proposal.oppose]
        lines += [f"WITHDRAW {number} {proposal.take_back} CHANGE {proposal.number}"] if proposal.take_back else []
    starter = act.start or (act.propose[0] if act.propose and len(row.joined) > 1 else "")
    lines += [f"CHANGEGAME {number} {starter} START"] if starter else []
    lines += [f"INVITE {number} {act.link}"] if act.link else []
    lines += [f"REVOKE {number} {act.withdraw}"] if act.withdraw and row.has_live_link else []
    lines += [f"DECLINE {number} {name}" for name in act.leave]
    return lines + ([f"WITHDRAW {number} {act.withdraw}"] if act.withdraw else [])


def write_order_offer(row: ChallengeRow) -> str:
    """Return the lines as the block that a mail ends with, or nothing."""
    lines = list_orders(row)
    return "Answer this mail with one of these lines:\n\n" + "\n".join(f"  {line}" for line in lines) if lines else ""
