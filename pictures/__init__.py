"""Pictures of battles: small boards on pages, cards for links."""
