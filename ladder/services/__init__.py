"""The only code that changes rows of the ladder."""

from ladder.services.results import apply_penalty, apply_result

__all__ = ["apply_penalty", "apply_result"]
