"""Shared by the pages of studies: turning errors into responses."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from duels.errors import BattleNotFound, NotYourCombatant, UnreadableBattle
from operations.errors import TooManyAttempts
from rules_engine import UnknownRuleset, UnknownState
from studies.errors import NotYourStudy, StudyNotFound, StudyRefused

Page = Callable[..., HttpResponse]


def about_studies(page: Page) -> Page:
    """Turn errors into responses: 404 for anything missing, a page with the reason for anything refused."""

    @wraps(page)
    def wrapped(request: HttpRequest, **about: Any) -> HttpResponse:
        try:
            return page(request, **about)
        except (BattleNotFound, StudyNotFound) as error:
            raise Http404(str(error)) from error
        except (NotYourStudy, NotYourCombatant) as error:
            raise PermissionDenied(str(error)) from error
        except (UnreadableBattle, UnknownRuleset, UnknownState):
            return refuse(request, _("This site can't read that battle's rules."), 503)
        except TooManyAttempts:
            return refuse(request, _("Too many requests in a short time. Wait a few minutes."), 429)
        except StudyRefused as error:
            return refuse(request, str(error), 409)

    return never_cache(wrapped)


def refuse(request: HttpRequest, reason: str, status: int) -> HttpResponse:
    return render(request, "studies/refused.html", {"reason": reason}, status=status)
