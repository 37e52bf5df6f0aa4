"""How long we keep addresses that we have written to."""

from accounts.services.leave import close_user
from email_gateway.deliver.bounces import find_address, note_failure
from email_gateway.deliver.prune import prune_addresses, prune_copies
from email_gateway.models import MailAddress, NewUserRequest
from notifications.services.deliveries import prune_notices
from notifications.services.outbox import write_notice
from tests.email_gateway.world import MailWorld


def list_addresses() -> set[str]:
    return set(MailAddress.objects.values_list("address", flat=True))


def tidy(world: MailWorld, **span: int) -> set[str]:
    world.wait(**span)
    prune_copies(now=world.now)
    prune_notices(now=world.now)
    prune_addresses(now=world.now)
    return list_addresses()


def test_an_address_without_an_account_is_deleted_with_the_record_of_the_last_email_to_it(world: MailWorld):
    world.send("HELP", sender="stranger@example.org")
    user = world.user("Wil")
    write_notice(key="k", user=user, kind="site_news", facts={"text": "News"}, now=world.now)
    world.send("HELP", sender="wil@example.org")
    assert list_addresses() == {"stranger@example.org", "wil@example.org"}
    assert tidy(world, days=100) == {"stranger@example.org", "wil@example.org"}
    world.send("HELP", sender="stranger@example.org")
    assert tidy(world, days=100) == {"stranger@example.org", "wil@example.org"}
    assert tidy(world, days=100) == {"wil@example.org"}
    close_user(user=user, now=world.now)
    assert tidy(world, days=1) == set()


def test_a_bounce_is_remembered_for_a_month(world: MailWorld):
    note_failure(address="gone@example.org", error="550", permanent=True, now=world.now)
    assert tidy(world, days=29) == {"gone@example.org"}
    assert tidy(world, days=2) == set()


def test_requests_to_sign_up_are_deleted_with_their_addresses(world: MailWorld):
    world.send("NEWUSER Wil three-black-moths", sender="wil@example.org")
    assert NewUserRequest.objects.get().address == "wil@example.org"
    tidy(world, days=29)
    assert NewUserRequest.objects.exists()
    tidy(world, days=2)
    assert not NewUserRequest.objects.exists()
    find_address("wil@example.org")
    assert tidy(world, days=200) == set()
