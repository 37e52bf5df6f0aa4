"""The focus of a form that is shown again with problems: without it, a screen reader announces nothing."""

from django import template
from django.forms import BaseForm
from django.forms.boundfield import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def first_problem(form: BaseForm) -> str:
    """Return the name of the first visible field with a problem; "" for none."""
    return next((field.html_name for field in form.visible_fields() if field.errors), "")


@register.filter
def with_focus(field: BoundField) -> SafeString:
    """Draw a field that has the focus when the page opens."""
    return field.as_widget(attrs={"autofocus": True})
