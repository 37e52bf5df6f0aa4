"""`manage.py reseal`: after a change of SECRET_KEY, make the older key unnecessary."""

from typing import Any

from django.core.management.base import BaseCommand

from fm_site.upkeep.key_rotation import reseal_everything


class Command(BaseCommand):
    help = (
        "Encrypts all stored secrets again with the current SECRET_KEY. After that, only links and reply addresses "
        "that were sent earlier still need the keys in SECRET_KEY_FALLBACKS."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        done, lost = reseal_everything()
        self.stdout.write(f"Sealed again: {done}. Unreadable with any known key: {lost}.")
