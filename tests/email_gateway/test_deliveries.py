"""Emails that come twice, late and in any order, in running battles: no turn is played twice, no order lost."""

import random
from dataclasses import dataclass

from accounts.models import Mage
from duels.models import Battle, OrderSheet, Turn
from email_gateway.addresses import make_turn_address
from email_gateway.models import InboundMail
from notifications.models import Delivery
from tests.email_gateway.world import MailWorld, write_mail
from tests.services.plugin import LONG

BATTLES = 50 if LONG else 3
DELIVERIES = 10_000 if LONG else 150
# An email is delivered so often, on average.
COPIES = 5
# Gestures that make no spell in any number: no turn asks anything, nobody is hit.
QUIET = ("W", "-")


@dataclass(frozen=True)
class Letter:
    """One email of one mage for one turn: the orders it gives, and its bytes, the same at each delivery."""

    battle: int
    seq: int
    mage: str
    orders: tuple[str, ...]
    sender: str
    to: str
    raw: bytes


def write_letters(battle: Battle, mages: list[Mage], turns: int, chance: random.Random) -> list[Letter]:
    letters = []
    for seq in range(1, turns + 1):
        for mage in mages:
            orders = (f"LH {chance.choice(QUIET)}", f"RH {chance.choice(QUIET)}")
            to = make_turn_address(user_id=mage.user_id, battle=battle.number, seq=seq, attempt=0)
            raw = write_mail("\n".join(orders), sender=mage.user.email, subject=f"Re: Duel {battle.number}, turn {seq}")
            letters.append(Letter(battle.number, seq, mage.name, orders, mage.user.email, to, raw))
    return letters


def shuffle_deliveries(letters: list[Letter], chance: random.Random) -> list[Letter]:
    """Every letter once when its turn is open, as its writer sent it, and copies of it at any time after that: beside
    the next ones, turns later, and all over again at the end. Letters of one turn come in any order."""
    by_turn: dict[int, list[Letter]] = {}
    for letter in letters:
        by_turn.setdefault(letter.seq, []).append(letter)
    deliveries: list[Letter] = []
    late: list[Letter] = []
    for seq in sorted(by_turn):
        fresh = by_turn[seq]
        late += [letter for letter in fresh for _ in range(chance.randint(0, 2 * (COPIES - 2)))]
        chance.shuffle(late)
        now, late = late[: len(late) // 2], late[len(late) // 2 :]
        batch = [*fresh, *(copy for copy in now if copy.seq < seq)]
        late += [copy for copy in now if copy.seq >= seq]
        chance.shuffle(batch)
        deliveries += batch
    return deliveries + late + chance.sample(letters, len(letters))


def deliver(world: MailWorld, letter: Letter, chance: random.Random) -> None:
    """Mail systems on the way write on top of it, name the mailbox in other letters, or rewrite the sender."""
    raw = (
        b"Received: from relay%d by mx\r\n" % chance.randint(1, 9) + letter.raw if chance.random() < 0.5 else letter.raw
    )
    to = letter.to.upper() if chance.random() < 0.3 else letter.to
    sender = letter.sender
    if chance.random() < 0.3:
        sender = f"SRS0=ab{chance.randint(1, 9)}=cd=example.org={sender.partition('@')[0]}@relay.example.net"
    world.take(raw, sender=sender, to=to)


def test_deliveries_doubled_reordered_and_replayed_play_each_turn_once(world: MailWorld):
    chance = random.Random(1)
    turns = DELIVERIES // (BATTLES * 2 * COPIES)
    letters: list[Letter] = []
    battles = []
    for number in range(BATTLES):
        mages = [world.mage(f"Mage{side}{number}", world.user(f"User{side}{number}", password="")) for side in "AB"]
        battles.append(world.duel(*mages))
        letters += write_letters(battles[-1], mages, turns, chance)
    deliveries = shuffle_deliveries(letters, chance)
    assert len(deliveries) >= DELIVERIES * 0.8
    for letter in deliveries:
        deliver(world, letter, chance)
        # The worker is sometimes behind; it then processes emails in the order they came.
        if chance.random() < 0.5:
            world.process()
    world.process()
    for battle in battles:
        battle.refresh_from_db()
        played = list(Turn.objects.filter(battle=battle, resolved_at__isnull=False).values_list("seq", "attempt"))
        assert sorted(played) == [(seq, 0) for seq in range(1, turns + 1)]
    # Each order is on the sheet of its turn, and on no other.
    for letter in letters:
        sheet = OrderSheet.objects.get(
            stage__turn__battle__number=letter.battle, stage__turn__seq=letter.seq, combatant__mage__name=letter.mage
        )
        assert tuple(line for line in sheet.lines if line != "END") == letter.orders
    # One row and one answer for each letter, however often it came.
    assert InboundMail.objects.count() == len(letters)
    assert sum(InboundMail.objects.values_list("copies", flat=True)) == len(deliveries)
    assert set(InboundMail.objects.values_list("state", flat=True)) == {"processed"}
    assert Delivery.objects.filter(notice=None).count() == len(letters)
