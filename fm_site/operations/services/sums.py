"""The stored sums of the site."""

from collections.abc import Mapping

from fm_site.operations.models import SiteSum


def store_sums(*, sums: Mapping[str, int]) -> None:
    """Store the count for each name. If two tasks run at once, the counts of one of them are stored."""
    SiteSum.objects.bulk_create(
        [SiteSum(name=name, amount=sums[name]) for name in sorted(sums)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["amount"],
    )
