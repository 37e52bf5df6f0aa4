"""Forms stay small where mails may be posted, too: Django's own limit is then that of a mail."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Answer = Callable[[HttpRequest], HttpResponseBase]
FOR_MAIL = "/mail/"


def small_forms(answer: Answer) -> Answer:
    """Middleware: refuse bodies of more than FM_FORM_SIZE_LIMIT bytes that are posted anywhere but under /mail/."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        size = request.META.get("CONTENT_LENGTH") or "0"
        if int(size) > settings.FM_FORM_SIZE_LIMIT and not request.path_info.startswith(FOR_MAIL):
            raise RequestDataTooBig
        return answer(request)

    return guarded
