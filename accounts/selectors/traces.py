"""Reading traces that users share."""

from collections.abc import Iterable
from itertools import combinations

from accounts.models import Trace


def find_shared_traces(user_ids: Iterable[int]) -> dict[frozenset[int], frozenset[str]]:
    """Return the pairs of these users who share an address or a device, and which of the two."""
    users: dict[tuple[str, str], set[int]] = {}
    traces = Trace.objects.filter(user__in=set(user_ids)).values_list("kind", "digest", "user_id")
    for kind, digest, user in traces:
        users.setdefault((kind, digest), set()).add(user)
    shared: dict[frozenset[int], set[str]] = {}
    for (kind, _), together in users.items():
        for pair in combinations(sorted(together), 2):
            shared.setdefault(frozenset(pair), set()).add(kind)
    return {pair: frozenset(kinds) for pair, kinds in shared.items()}
