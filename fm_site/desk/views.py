"""The page of the desk."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.janitors import is_janitor, is_reading_janitor
from fm_site.desk.overview import describe_house, list_sections
from fm_site.operations.models import Maintenance


def show_desk(request: HttpRequest) -> HttpResponse:
    """What waits for a janitor, and the buttons of the house."""
    if not is_reading_janitor(request.user):
        raise PermissionDenied
    now = timezone.now()
    context = {
        **admin.site.each_context(request),
        "title": "What waits for you",
        "house": describe_house(request.user, now),
        "sections": list_sections(request.user, now),
        "acts": is_janitor(request.user),
        "closed": Maintenance.objects.filter(ended_at=None).first(),
    }
    return TemplateResponse(request, "admin/desk.html", context)
