"""Reading hooks, their addresses apart."""

from django.contrib.auth.base_user import AbstractBaseUser

from notifications.models import Hook


def list_own_hooks(user: AbstractBaseUser) -> list[Hook]:
    """Return the hooks of `user`, oldest first."""
    return list(Hook.objects.filter(user=user.pk, scope=Hook.Scope.USER).order_by("created_at", "pk"))


def find_webhook(user: AbstractBaseUser) -> Hook | None:
    """Return the hook that is the user's webhook in the API; None without one."""
    return Hook.objects.filter(user=user.pk, is_webhook=True).first()
