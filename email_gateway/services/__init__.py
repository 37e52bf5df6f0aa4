"""What changes the gateway's rows.

Taking a mail in stands here; obeying it (`services.obeying`) and sending mail out (`services.posting`) know the orders
and the reports, and are imported from their own modules.
"""

from email_gateway.services.intake import ingest_mail
from email_gateway.services.newusers import confirm_newuser, forget_expired_requests, request_newuser
from email_gateway.services.shelving import shelve_mail

__all__ = ["confirm_newuser", "forget_expired_requests", "ingest_mail", "request_newuser", "shelve_mail"]
