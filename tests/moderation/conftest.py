"""The battles and users that janitors look into."""

from tests.accounts.conftest import anna, boris
from tests.duels.conftest import janitor, melee

__all__ = ["anna", "boris", "janitor", "melee"]
