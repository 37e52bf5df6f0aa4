"""Model objects from rows of a query, as Django makes them, but without what it finds out anew for every row."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, pre_init


class _Maker:
    """Makes the objects of a model as its `from_db` does, but sets all fields at once."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model

    def from_db(self, database: str, names: Sequence[str], values: Sequence[Any]) -> Any:
        made = object.__new__(self.model)
        state = ModelState()
        state.adding, state.db = False, database
        fields = made.__dict__
        fields["_state"] = state
        fields.update(zip(names, values, strict=True))
        return made


def find_maker(model: type[Model]) -> Any:
    """Return the model itself if its objects need more than their fields to be set."""
    is_plain = (
        model.__init__ is Model.__init__
        and getattr(model.from_db, "__func__", None) is getattr(Model.from_db, "__func__", 0)
        and all(
            isinstance(_find_in_class(model, field.attname), DeferredAttribute) for field in model._meta.concrete_fields
        )
        and not pre_init.has_listeners(model)
        and not post_init.has_listeners(model)
    )
    return _Maker(model) if is_plain else model


def _find_in_class(model: type[Model], name: str) -> Any:
    return next((vars(each)[name] for each in model.__mro__ if name in vars(each)), None)


def use_makers(populators: Iterable[Any]) -> None:
    for each in populators:
        each.model_cls = find_maker(each.model_cls)
        use_makers(each.related_populators)
