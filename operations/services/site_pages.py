"""Saving the operator's pages."""

from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from operations.banner import forget_banner_on_commit
from operations.models import SitePage
from operations.text.invisible_characters import mark_hidden


def save_site_page(*, name: str, language: str, text: str, by: AbstractBaseUser, now: datetime) -> SitePage:
    """Save a new version of a page in a language; a blank text takes the page down. Earlier versions stay. The text of
    the newest version, saved again, makes no other."""
    text = mark_hidden("\n".join(text.strip().splitlines()))
    with transaction.atomic():
        newest = SitePage.objects.filter(name=name, language=language).order_by("-pk").first()
        if newest is not None and newest.text == text:
            return newest
        forget_banner_on_commit()
        return SitePage.objects.create(name=name, language=language, text=text, saved_at=now, saved_by_id=by.pk)
