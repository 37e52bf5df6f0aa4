"""The analysis of a battle that is over."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from studies.errors import NoAnalysis
from studies.views.shared import about_studies


@require_http_methods(["GET", "HEAD", "POST"])
@about_studies
def show_analysis(request: HttpRequest, number: int) -> HttpResponse:
    raise NoAnalysis(_("A battle is analysed when it is over."))
