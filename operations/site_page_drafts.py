"""What the operator's pages begin with: the questions that a reader or the law asks, without an answer."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from operations.models import SitePage

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Stands for a fact that only the operator knows.
MISSING = "???"

DRAFTS: "dict[str, StrOrPromise]" = {
    SitePage.Name.IMPRINT: _("Operator: ???\n\nPostal address: ???\n\nEmail: ???\n\nTelephone: ???"),
    SitePage.Name.PRIVACY: _(
        "## Controller\n\n???\n\n## Legal bases\n\n???\n\n## Processors\n\nHosting: ???\n\nEmail: ???\n\n"
        "## Retention\n\nServer logs: ???\n\nAddresses: ???\n\nBackups: ???\n\n"
        "## Complaints\n\nYou can complain to a data protection authority: ???"
    ),
    SitePage.Name.TERMS: _("Who may use this site: ???\n\nWhat is forbidden: ???\n\nHow to end the contract: ???"),
    SitePage.Name.AGE: _("You must be at least ??? years old to have an account."),
    SitePage.Name.ACCESSIBILITY: _(
        "How accessible this site is: ???\n\nWhat is not accessible: ???\n\nContact about barriers: ???"
    ),
    SitePage.Name.ILLEGAL: _("Contact for users and authorities: ???\n\nLanguages you can write in: ???"),
}
