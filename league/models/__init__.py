"""The models of leagues and cups."""

from league.models.cup import Cup
from league.models.pairing import Pairing
from league.models.place import Place
from league.models.season import Entry, Group, Season

__all__ = ["Cup", "Entry", "Group", "Pairing", "Place", "Season"]
