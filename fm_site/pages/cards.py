"""The pictures for links to pages without a battle of their own: mages, and the front page's board with a title."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.requests import get_mage_or_404
from fm_site.pages.front_duel import find_front_board
from fm_site.pages.profile_cards import describe_mage
from ladder.selectors.scores import describe_mages
from pictures.answers import answer_board, answer_card
from pictures.page_cards import PAGES


@require_safe
def show_page_card(request: HttpRequest, page: str) -> HttpResponse:
    if page not in PAGES:
        raise Http404(_("There is no such picture."))
    title, about = (str(words) for words in PAGES[page])
    board = find_front_board()
    # A site without bots has no duel on its front page.
    return answer_card(title, [about]) if board is None else answer_board(board.sides, title=title, facts=[about])


@require_safe
def show_mage_card(request: HttpRequest, name: str) -> HttpResponse:
    mage = get_mage_or_404(name)
    return answer_card(mage.name, describe_mage(describe_mages([mage])[0]), mage.arms)
