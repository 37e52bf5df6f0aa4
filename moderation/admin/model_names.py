"""Names of the desk's tables, in the reader's language.

They are here, not in the models, because only the desk shows them, and here they need no migrations.
"""

from django.apps import apps
from django.utils.translation import gettext_lazy as _

NAMES = {
    "account.emailaddress": (_("email address"), _("email addresses")),
    "accounts.accountwarning": (_("warning"), _("warnings")),
    "accounts.engagement": (_("engagement"), _("engagements")),
    "accounts.mage": (_("mage"), _("mages")),
    "accounts.name": (_("name"), _("names")),
    "accounts.sanction": (_("suspension"), _("suspensions")),
    "accounts.user": (_("user"), _("users")),
    "accounts.usermerge": (_("merged user"), _("merged users")),
    "accounts.vacation": (_("vacation"), _("vacations")),
    "challenges.challenge": (_("challenge"), _("challenges")),
    "challenges.invitelink": (_("invite link"), _("invite links")),
    "challenges.proposal": (_("proposal"), _("proposals")),
    "challenges.seat": (_("seat"), _("seats")),
    "challenges.vote": (_("vote"), _("votes")),
    "duels.battle": (_("battle"), _("battles")),
    "duels.replay": (_("replay"), _("replays")),
    "email_gateway.inboundmail": (_("incoming email"), _("incoming emails")),
    "email_gateway.mailaddress": (_("address with bounces"), _("addresses with bounces")),
    "ladder.pairwatch": (_("pair to check"), _("pairs to check")),
    "ladder.placing": (_("placing"), _("placings")),
    "ladder.ratingentry": (_("rating entry"), _("rating entries")),
    "ladder.remembrance": (_("remembrance"), _("remembrances")),
    "ladder.revisedentry": (_("revised entry"), _("revised entries")),
    "ladder.scoredbattle": (_("scored battle"), _("scored battles")),
    "ladder.scoreentry": (_("score entry"), _("score entries")),
    "ladder.scorerevision": (_("score revision"), _("score revisions")),
    "ladder.userrating": (_("rating of a user"), _("ratings of users")),
    "mfa.authenticator": (_("second factor"), _("second factors")),
    "moderation.journalentry": (_("journal entry"), _("journal entries")),
    "moderation.report": (_("report"), _("reports")),
    "notifications.delivery": (_("delivery"), _("deliveries")),
    "notifications.notice": (_("notice"), _("notices")),
    "operations.announcement": (_("announcement"), _("announcements")),
    "operations.chore": (_("chore"), _("chores")),
    "operations.heartbeat": (_("heartbeat"), _("heartbeats")),
    "operations.maintenance": (_("maintenance"), _("maintenance")),
    "operations.outage": (_("outage"), _("outages")),
    "operations.sitepolicy": (_("site policy"), _("site policy")),
}
APPS = {
    "accounts": _("Users and mages"),
    "challenges": _("Challenges"),
    "duels": _("Battles"),
    "email_gateway": _("Email"),
    "ladder": _("Ladder"),
    "moderation": _("Moderation"),
    "notifications": _("Notices"),
    "operations": _("Site"),
}


def name_models() -> None:
    """Give the tables and their groups these names in this process."""
    for label, (one, many) in NAMES.items():
        meta = apps.get_model(label)._meta
        meta.verbose_name, meta.verbose_name_plural = one, many
    for label, name in APPS.items():
        apps.get_app_config(label).verbose_name = name
