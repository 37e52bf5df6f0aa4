"""Taking down texts in a study or a collection: for janitors (moderation)."""

from django.utils.translation import gettext as _

from accounts.languages import in_language_of
from studies.models import Collection, Study
from studies.services.edit_study import hide_news_of_study


def take_down_study(*, study: Study) -> None:
    """Blank the title, the names and the comments of a study, and make it private."""
    study.title, study.access = "", Study.Access.PRIVATE
    study.save(update_fields=["title", "access"])
    study.branches.update(name="", comment="")
    hide_news_of_study(study=study)


def take_down_collection(*, collection: Collection) -> None:
    """Blank the name, description and comments of a collection, and make it private."""
    with in_language_of(collection.owner):
        collection.name = _("(taken down)")
    collection.words, collection.access = "", Study.Access.PRIVATE
    collection.save(update_fields=["name", "words", "access"])
    collection.entries.update(words="")
