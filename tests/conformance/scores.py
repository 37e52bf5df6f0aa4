"""Scores by Firetop Mountain's rules: firetop-engine 7.3, firetop-server 5.2."""

from collections.abc import Collection, Mapping


def take_penalty(scores: Mapping[str, int], mages: Collection[str]) -> dict[str, int]:
    """One point less for each of `mages`, never below nought."""
    return {mage: max(0, score - 1) if mage in mages else score for mage, score in scores.items()}


def share_value(scores: Mapping[str, int], winners: Collection[str]) -> dict[str, int]:
    """The value of the battle (one point for every mage who did not win) shared among the winners, rounded down."""
    share = (len(scores) - len(winners)) // len(winners) if winners else 0
    return {mage: score + share if mage in winners else score for mage, score in scores.items()}
