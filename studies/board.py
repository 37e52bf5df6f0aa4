"""The board of a study: the battle page's board, with its own links."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.board import Board, SentOrders, build_position_board
from rules_engine import State
from studies.models import Branch, Study
from studies.selectors.positions import Position, see_position
from studies.selectors.trees import list_strengths


@dataclass(frozen=True)
class Orderer:
    """A mage who owes orders: who gives them, who else could, and whether they are set."""

    name: str
    answers: str
    set: str
    in_hand: bool
    choices: tuple[tuple[str, str], ...]


def draw_position(
    position: Position, *, page: str, mage: str, title: str, sent: SentOrders | None = None, draft: str = ""
) -> Board:
    """Return the board of a position, with controls for `mage` ("": none) and the orders just sent, or `draft`."""
    text = sent.form.text if sent and sent.form else draft
    view = see_position(position, mage=mage, draft=text, sees_all=True)
    return build_position_board(view, page=page, title=title, sent=sent, ready_word=_("Try it"))


def choose_hand(state: State, study: Study, branch: Branch, wanted: str) -> str:
    """Return the mage to order for: `wanted`, else the first whose orders are set by hand; "" for none."""
    by_hand = [name for name in state.owing if study.answers.get(name, Study.HAND) == Study.HAND]
    unset = [name for name in by_hand if name not in branch.drafts]
    return next((name for name in (wanted, *unset, *by_hand, *state.owing) if name in state.owing), "")


def list_orderers(state: State, study: Study, branch: Branch, hand: str, *, bots: bool) -> list[Orderer]:
    """Return everyone who owes orders here."""
    choices = [(Study.HAND, _("I do"))]
    if study.recorded or (study.battle and study.battle.is_over):
        choices.append((Study.RECORD, _("as in the battle, then Warder")))
    if bots:
        choices += [(name, name) for name in list_strengths(len(state.mages))]
    return [
        Orderer(
            name,
            study.answers.get(name, Study.HAND),
            "; ".join(branch.drafts.get(name, ())),
            name == hand,
            tuple(choices),
        )
        for name in state.owing
    ]
