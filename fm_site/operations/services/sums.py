"""The stored sums of the site."""

from collections.abc import Mapping

from fm_site.operations.models import SiteSum


def store_sums(*, sums: Mapping[str, int]) -> None:
    """Store how many there are of each name. Two tasks at once store the numbers of one of them."""
    SiteSum.objects.bulk_create(
        [SiteSum(name=name, amount=sums[name]) for name in sorted(sums)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["amount"],
    )
