"""A size limit for forms where emails can be posted too, since Django's own limit is then the one for emails."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from operations.web.middleware import GetResponse

FOR_MAIL = "/mail/"


def small_forms(answer: GetResponse) -> GetResponse:
    """Middleware: reject bodies of more than FM_FORM_SIZE_LIMIT bytes posted anywhere except under /mail/."""

    def guarded(request: HttpRequest) -> HttpResponseBase:
        size = request.META.get("CONTENT_LENGTH") or "0"
        if int(size) > settings.FM_FORM_SIZE_LIMIT and not request.path_info.startswith(FOR_MAIL):
            raise RequestDataTooBig
        return answer(request)

    return guarded
