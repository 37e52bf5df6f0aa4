"""The lines of a mage's sheet, which follow GAME in an email: their part of the table of orders."""

from django.utils.translation import gettext_lazy

from email_gateway.commands.order_entry import Order

SUBMIT = "duels.services.orders.submit_orders"
SHEET_LINES: tuple[Order, ...] = (
    Order("LH", "LH <gesture>", "mage", SUBMIT, gettext_lazy("The left hand's gesture: F P S W D C > (stab) or - "
          "(nothing)."),
          "FM-ORDMOVE-7", example="LH W"),
    Order("RH", "RH <gesture>", "mage", SUBMIT, gettext_lazy("The right hand's gesture. Both at once: LH W RH P, or "
          "W/P."),
          "FM-ORDMOVE-7", example="RH P"),
    Order("LH2", "LH2 <gesture>", "mage", SUBMIT,
          gettext_lazy("In Waving Hands, while you are fast: the left hand's second gesture of the turn."),
          "WH-ENCH-26",
          example="LH2 W"),
    Order("RH2", "RH2 <gesture>", "mage", SUBMIT,
          gettext_lazy("In Waving Hands, while you are fast: the right hand's second gesture of the turn."),
          "WH-ENCH-26",
          example="RH2 P"),
    Order("RETARGET", "RETARGET <monster> <name>", "mage", SUBMIT,
          gettext_lazy("In Waving Hands: whom your fast monster attacks the second time."), "WH-ENCH-29",
          example="RETARGET RedGoblin Bung"),
    Order("TARGET", "TARGET <LH, RH, BH or monster> <name>", "mage", SUBMIT,
          gettext_lazy("Aims the spell or stab of a hand, or your monster. RH:Merlyn is the monster that Merlyn's "
          "right hand summons."),
          "FM-ORDMOVE-9", example="TARGET RH Bung"),
    Order("CHOOSE", "CHOOSE <LH, RH or BH> <spell>", "mage", SUBMIT,
          gettext_lazy("Chooses which spell is cast when a hand completes several."),
          "FM-ORDMOVE-22", example="CHOOSE LH Shield"),
    Order("PARALYZE", "PARALYZE <LH or RH> <mage>", "mage", SUBMIT,
          gettext_lazy("Chooses which hand is stuck, for a mage you have paralysed."), "FM-ORDMOVE-26",
          synonyms=("PARALYSE",), example="PARALYZE LH Bung"),
    Order("CHARM", "CHARM <LH or RH> <mage>", "mage", SUBMIT,
          gettext_lazy("In Waving Hands, when the turn asks: which hand your Charm Person takes."), "WH-ENCH-8",
          example="CHARM LH Bung"),
    Order("ELEMENTAL", "ELEMENTAL <fire or ice> <mage>", "mage", SUBMIT,
          gettext_lazy(
              "In Waving Hands, when the turn asks: which elemental this mage's spell summons. LH:Bung means "
              "the spell of Bung's left hand."
          ),
          "WH-SUM-4",
          example="ELEMENTAL ice Bung"),
    Order("DIRECT", "DIRECT <LH or RH> <gesture> <mage>", "mage", SUBMIT,
          gettext_lazy("Chooses the gesture of a mage you charmed."), "FM-ORDMOVE-27", example="DIRECT LH - Bung"),
    Order("PERMANENT", "PERMANENT <LH, RH or BH>", "mage", SUBMIT,
          gettext_lazy("Makes that hand's spell permanent, while you have Permanency."), "FM-ORDMOVE-25",
          example="PERMANENT RH"),
    Order("DELAY", "DELAY <LH, RH or BH>", "mage", SUBMIT,
          gettext_lazy("Banks that hand's spell for later, while you have Delay Effect."),
          "FM-ORDMOVE-29", example="DELAY RH"),
    Order("FIRE", "FIRE", "mage", SUBMIT, gettext_lazy("Casts your banked spell."), "FM-ORDMOVE-31"),
    Order("SUICIDE", "SUICIDE", "mage", SUBMIT,
          gettext_lazy("In Warlocks, when a permanent mind spell keeps you from surrendering: you die at the end of "
          "the turn."),
          "WL-ENCH-39"),
    Order("SAY", "SAY <text>", "mage", SUBMIT, gettext_lazy("Says one line to all mages of the battle."),
          "FM-ORDMOVE-32",
          example="SAY Good luck"),
    Order("CLEAR", "CLEAR", "mage", SUBMIT, gettext_lazy(
        "Deletes your orders for this turn, before the lines below it are read."
    ),
          "FM-ORDGEN-22"),
    Order("END", "END", "mage", SUBMIT, gettext_lazy(
        "Ends the orders and makes them ready, like the end of the email. Nothing below it is read."
    ), "FM-ORDGEN-8"),
)  # fmt: skip
