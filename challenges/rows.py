"""What a page or a mail shows of a challenge: plain values, made by the selectors for one viewer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Section = Literal["taking_part", "waiting_for_you", "open_to_join"]


@dataclass(frozen=True)
class SeatRow:
    """One seat as it is drawn. A free seat has no name. `state`: joined, invited, declined, left_out or free."""

    name: str
    user: str
    state: str
    is_challenger: bool = False
    is_mine: bool = False

    @property
    def initial(self) -> str:
        return self.name[:1].upper()


@dataclass(frozen=True)
class Actions:
    """What the viewer may do here, as names of the viewer's own mages; an empty tuple means no button."""

    accept: tuple[str, ...] = ()
    decline: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    withdraw: str = ""
    start: str = ""


@dataclass(frozen=True)
class ChallengeRow:
    """One challenge as one viewer sees it.

    `size_words` is the first part of `terms_words` ("Duel", "Melee of 4 mages") for pages that set it apart, and
    `rest_words` the other. `why_not` says in words why the viewer may not join, `why_not_code` for programs; both are
    empty if he may. `free_seats` is None where any number may join. What `is_over` is a battle by now, or withdrawn.
    """

    number: int
    title: str
    challenger: str
    challenger_user: str
    size_words: str
    rest_words: str
    ruleset: str
    start_words: str
    comment: str
    status: str
    section: Section
    is_open_to_all: bool
    is_practice: bool
    mages_per_user: int | None
    limit: int | None
    free_seats: int | None
    seats: tuple[SeatRow, ...]
    actions: Actions
    why_not: str
    why_not_code: str
    created_at: datetime

    @property
    def terms_words(self) -> str:
        return f"{self.size_words}, {self.rest_words}"

    @property
    def may_join(self) -> bool:
        return bool(self.actions.accept)

    @property
    def is_over(self) -> bool:
        return self.status != "open"

    @property
    def joined(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "joined")

    @property
    def invited(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "invited")
