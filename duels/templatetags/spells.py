"""Names of spells for readers."""

from django import template

from rules_engine.glossary import name_spell

register = template.Library()
register.filter("spell_name", name_spell)
