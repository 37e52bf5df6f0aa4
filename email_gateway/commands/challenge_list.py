"""CHALLENGES: every challenge that looks for mages, as a table."""

from functools import partial

from accounts.models import User
from challenges.rows import ChallengeRow
from challenges.selectors import list_open_challenges
from email_gateway.conversation import Conversation


def handle_challenges(talk: Conversation, rest: str) -> list[str]:
    """CHALLENGES: every challenge that stands. Anybody may see them."""
    talk.report("challenges", partial(write_challenges, talk.done.user))
    return []


def write_challenges(viewer: User | None) -> str:
    rows = list_open_challenges(viewer=viewer)
    tables = [
        list_rows("Open challenges", [row for row in rows if row.is_open_to_all]),
        list_rows("Closed challenges", [row for row in rows if not row.is_open_to_all]),
    ]
    return "\n\n".join(tables)


def list_rows(heading: str, rows: list[ChallengeRow]) -> str:
    if not rows:
        return f"{heading}\n\n  None."
    table = [f"{'Number':>6}  {'Challenger':<20}  {'User':<20}  {'Joined':>6}  {'Limit':>5}"]
    for row in rows:
        limit = str(row.limit) if row.limit else "-"
        table.append(
            f"{row.number:>6}  {row.challenger:<20}  {row.challenger_user:<20}  {len(row.joined):>6}  {limit:>5}"
        )
        table.append(f"{'':>6}  {row.terms_words}")
        if row.invited:
            table.append(f"{'':>6}  not answered yet: {', '.join(row.invited)}")
        if row.comment:
            table.append(f'{"":>6}  "{row.comment}"')
    return f"{heading}\n\n" + "\n".join(table)
