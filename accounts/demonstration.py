"""What marks a user as one of the demonstration. Pure: no rows."""

# Nobody can have an address there (RFC 2606).
DEMONSTRATION_DOMAIN = "demonstration.invalid"


def is_of_demonstration(email: str) -> bool:
    return email.endswith(f"@{DEMONSTRATION_DOMAIN}")
