"""Titles of the operator's pages."""

from django import template

from operations.models import SitePage

register = template.Library()


@register.filter
def page_title(name: str) -> str:
    return str(SitePage.Name(name).label)
