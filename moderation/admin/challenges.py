"""Challenges for janitors, read-only. Only services change them."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.janitors import is_reading_janitor
from challenges.models import Challenge, InviteLink, Proposal, Seat, Vote
from challenges.words import describe_terms
from duels.terms import Terms
from moderation.janitor_tables import ReadOnlyAdmin, RelatedRows


class ReadOnlyInline(RelatedRows):
    """Read-only rows of a related model."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return is_reading_janitor(request.user)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class SeatInline(ReadOnlyInline):
    model = Seat


class ProposalInline(ReadOnlyInline):
    model = Proposal


class VoteInline(ReadOnlyInline):
    model = Vote


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    list_display = ("number", "challenger", "status", "seats_taken", "limit", "mages_per_user", "updated_at")
    list_filter = ("status",)
    search_fields = ("=number", "challenger__name", "comment")
    inlines = (SeatInline, ProposalInline)
    readonly_fields = ("agreed",)
    fields = (
        *("number", "challenger", "status", "seats_taken", "limit", "mages_per_user", "agreed", "authoritarian"),
        *("comment", "created_at", "updated_at", "reminded_at"),
    )

    @admin.display(description=_("terms"))
    def agreed(self, challenge: Challenge) -> str:
        return describe_terms(Terms.from_json(challenge.terms), is_practice=False)


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    list_display = ("challenge", "number", "proposer", "state", "created_at", "decided_at")
    list_filter = ("state",)
    search_fields = ("=challenge__number", "proposer__name")
    list_select_related = ("challenge", "proposer")
    inlines = (VoteInline,)


@admin.register(InviteLink)
class InviteLinkAdmin(ReadOnlyAdmin):
    """Invite links without their secret: the token is stored as a hash, and the hash is not shown either."""

    list_display = fields = ("challenge", "made_by", "state", "created_at", "expires_at")
    search_fields = ("=challenge__number",)
    list_select_related = ("challenge", "made_by")
