"""The board of a study: the battle page's board, with its own links."""

from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext as _

from duels.board import Board, build_board
from duels.board.links import BattleLinks
from duels.order_form import OrderForm
from duels.selectors.positions import Position, see_position
from rules_engine import Problem, State
from studies.models import Branch, Study
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
    position: Position,
    *,
    page: str,
    mage: str,
    title: str,
    form: OrderForm | None = None,
    draft: str = "",
    problems: tuple[Problem, ...] = (),
    ask_to_confirm: bool = False,
) -> Board:
    """Return the board of a position, with controls for `mage` ("": none) and the orders of `form` or `draft`."""
    text = form.text if form else draft
    view = see_position(position, mage=mage, draft=text, sees_all=True)
    board = build_board(view, now=timezone.now(), form=form, problems=problems, ask_to_confirm=ask_to_confirm)
    live = f"{page}?fragment=board"
    links = BattleLinks(
        page=page, change="", resign="", fragment=live, draft=live, time="", consent="", api="", socket=""
    )
    bar = board.bar
    if bar.button and bar.button.tone != "blood":
        bar = replace(bar, button=replace(bar.button, word=_("Try it")))
    return replace(board, links=links, bar=bar, page_title=title)


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
