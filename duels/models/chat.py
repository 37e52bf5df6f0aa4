"""The chat beside a battle. It is not part of the battle: the rules never see it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from duels.models.battle import Battle
from duels.phrases import PHRASES

LINE_LENGTH = 280


class ChatLine(models.Model):
    """One line in one of the two rooms of a battle.

    Players read and write in the players' room, all others in the spectators' room; after the end everyone reads both
    (duels.selectors.chat). A line has a text, or is a quick phrase, by its key in duels.phrases. `once` comes from the
    form, so that a click that arrives twice writes one line.
    """

    class Room(models.TextChoices):
        PLAYERS = "players"
        SPECTATORS = "spectators"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="chat_lines")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_lines")
    room = models.CharField(max_length=10, choices=Room)
    text = models.CharField(max_length=LINE_LENGTH, blank=True)
    phrase = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)
    once = models.CharField(max_length=16, editable=False)
    created_at = models.DateTimeField()
    # When a janitor removed it. The row stays, so that the removal can be undone.
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["battle", "id"], name="chat_of_battle")]
        constraints = [
            models.UniqueConstraint(fields=["battle", "user", "once"], name="chat_line_once"),
            models.CheckConstraint(condition=Q(room__in=["players", "spectators"]), name="chat_room_is_known"),
            models.CheckConstraint(
                condition=Q(phrase="") & ~Q(text="") | ~Q(phrase="") & Q(text=""), name="chat_line_says_something"
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} in {self.battle}"

    @property
    def words(self) -> str:
        """What the line says, a phrase in the reader's language."""
        return str(PHRASES[self.phrase]) if self.phrase else self.text


class ChatMute(models.Model):
    """`user` does not want to read the chat lines of `muted`, who is not notified."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_mutes")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "muted"], name="chat_mute_once"),
            models.CheckConstraint(condition=~Q(user=models.F("muted")), name="chat_mute_is_of_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.user} mutes {self.muted}"
