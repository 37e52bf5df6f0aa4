"""The site as a WSGI application, for WSGI servers (production) and for asgi.py, which wraps it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")

site = get_wsgi_application()

from fm_site.serving.page_stamps import StampedPages  # noqa: E402
from fm_site.serving.request_text import name_charset  # noqa: E402

pages = name_charset(site)  # without a thread that stamps, for tests
application = StampedPages(pages)
