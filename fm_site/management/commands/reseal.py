"""`manage.py reseal`: after a change of SECRET_KEY, make the older key unnecessary."""

from typing import Any

from django.core.management.base import BaseCommand

from fm_site.resealing import reseal_everything


class Command(BaseCommand):
    help = (
        "Seals everything that is stored encrypted again, with the present SECRET_KEY. Afterwards nothing needs the "
        "keys in SECRET_KEY_FALLBACKS but links and reply addresses that were sent before."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        done, lost = reseal_everything()
        self.stdout.write(f"Sealed again: {done}. Unreadable with any known key: {lost}.")
