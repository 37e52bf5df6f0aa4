"""The pictures for links to pages without a battle of their own: the front page's board with the page's title."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from duels.picture_answers import answer_board, answer_card
from duels.share import PAGES
from fm_site.pages.front_duel import find_front_board


@require_safe
def show_page_card(request: HttpRequest, page: str) -> HttpResponse:
    if page not in PAGES:
        raise Http404(_("There is no such picture."))
    title, about = (str(words) for words in PAGES[page])
    board = find_front_board()
    # A site without bots has no duel on its front page.
    return answer_card(title, [about]) if board is None else answer_board(board.sides, title=title, facts=[about])
