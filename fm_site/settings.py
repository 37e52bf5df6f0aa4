"""Settings. Everything that differs between two sites comes from the environment (docs/settings.md lists it)."""

import os
from datetime import date
from pathlib import Path
from typing import Literal

import environ
from csp.constants import NONE, SELF

from fm_site.compiling.choice import AUTO, choose_engine
from fm_site.run.valkey import celery_url, embedded_redis_url
from fm_site.schedule import BEAT_SCHEDULE, DEMONSTRATION_SCHEDULE
from fm_site.upkeep.logs import make_logging
from fm_site.upkeep.secret_key import load_or_make_secret_key

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- This site -------------------------------------------------------------------------------------------------------
DATA_DIR = Path(env.str("FM_DATA_DIR", default=str(BASE_DIR / "var")))
# Which rules engine to play by (fm_site/compiling/choice.py). Nothing may import the engine before this.
FM_ENGINE = choose_engine(env.str("FM_ENGINE", default=AUTO), DATA_DIR)
DEBUG = env.bool("DEBUG", default=False)
# Made-up people and battles, and log-ins with public passwords: only with DEBUG.
FM_DEMO = DEBUG and env.bool("FM_DEMO", default=True)
SECRET_KEY = env.str("SECRET_KEY", default="") or load_or_make_secret_key(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
FM_PORT = env.int("FM_PORT", default=8000)
FM_SMTP_PORT = env.int("FM_SMTP_PORT", default=8025)
# The URL of the site in emails, without a trailing slash.
FM_SITE_URL = env.str("FM_SITE_URL", default=f"http://127.0.0.1:{FM_PORT}").rstrip("/")
# The domain of this site's email addresses.
FM_MAIL_DOMAIN = env.str("FM_MAIL_DOMAIN", default="localhost")
# Domains that this site had before, for pages or email, each with the last day (UTC) on which links to it and reply
# addresses of it still work: "old.example.org=2031-11-30".
FM_FORMER_DOMAINS = {
    name.strip().lower(): date.fromisoformat(day.strip())
    for name, day in env.dict("FM_FORMER_DOMAINS", default={}).items()
}
ALLOWED_HOSTS += FM_FORMER_DOMAINS
# Bytes; the listener rejects larger emails.
FM_MAIL_SIZE_LIMIT = env.int("FM_MAIL_SIZE_LIMIT", default=2_000_000)
# The name in the Authentication-Results headers of our own mail server. Blank: no sender is proven.
FM_MAIL_AUTHSERV_ID = env.str("FM_MAIL_AUTHSERV_ID", default="")
# An anymail provider that posts incoming email to us ("mailgun", "postmark" ...), at /mail/inbound/ and
# /mail/tracking/. Blank: these URLs do not exist.
FM_MAIL_WEBHOOK = env.str("FM_MAIL_WEBHOOK", default="")
# The Retry-After header while the database is unavailable.
FM_RETRY_AFTER_SECONDS = 10
FM_PAGE_THREADS = env.int("FM_PAGE_THREADS", default=8)
# API calls in a minute: of a user with all their programs, and of all strangers of a network.
FM_API_CALLS_PER_MINUTE = env.int("FM_API_CALLS_PER_MINUTE", default=600)
FM_API_CALLS_OF_NETWORK = env.int("FM_API_CALLS_OF_NETWORK", default=1200)
# Webhooks may call this machine, and by plain HTTP. Only for tests: anyone may register one.
FM_WEBHOOKS_TO_LOOPBACK = env.bool("FM_WEBHOOKS_TO_LOOPBACK", default=False)
# The folder of the dump of all finished battles, or a target of rclone in its place, which several machines can reach.
FM_DUMP_DIR = Path(env.str("FM_DUMP_DIR", default=str(DATA_DIR / "dump")))
FM_DUMP_TO = env.str("FM_DUMP_TO", default="")
# The folder for nightly backups, and the folder of PostgreSQL's programs (blank: search PATH).
FM_BACKUP_DIR = Path(env.str("FM_BACKUP_DIR", default=str(DATA_DIR / "backups")))
# The machine that writes them and the dump, by its host name (blank: any one, so there is only one, or they share the
# folders).
FM_BACKUP_HOST = env.str("FM_BACKUP_HOST", default="")
# Where encrypted copies of them go each night (a folder, or a target of rclone), and the recipient (age or gpg).
FM_BACKUP_TO = env.str("FM_BACKUP_TO", default="")
FM_BACKUP_RECIPIENT = env.str("FM_BACKUP_RECIPIENT", default="")
FM_POSTGRES_PROGRAMS = env.str("FM_POSTGRES_PROGRAMS", default="")
# Addresses and networks of trusted proxies, whose X-Forwarded-For counts; "unix" for one on a Unix socket.
FM_TRUSTED_PROXIES = env.list("FM_TRUSTED_PROXIES", default=[])
# Behind HTTPS (a proxy that sets X-Forwarded-Proto): cookies are secure, and plain HTTP redirects to HTTPS.
FM_HTTPS = env.bool("FM_HTTPS", default=not DEBUG)

# Prometheus may read /metrics with this token, or from these networks; with neither, the address does not exist.
FM_METRICS_TOKEN = env.str("FM_METRICS_TOKEN", default="")
FM_METRICS_NETWORKS = env.list("FM_METRICS_NETWORKS", default=[])
FM_METRICS = bool(FM_METRICS_TOKEN or FM_METRICS_NETWORKS)
# Where the processes of this machine keep their counts. If they cannot, each counts for itself. The client library
# reads the second variable when it is imported.
FM_METRICS_DIR = Path(env.str("FM_METRICS_DIR", default=str(DATA_DIR / "metrics"))) if FM_METRICS else None
os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
if FM_METRICS_DIR:
    try:
        FM_METRICS_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FM_METRICS_DIR)
    except OSError:
        FM_METRICS_DIR = None
# Reports of our own faults go to this Sentry; none by default.
SENTRY_DSN = env.str("SENTRY_DSN", default="")

# --- Apps ------------------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "fm_site.apps.FmSiteConfig",
    "email_gateway",
    "moderation",
    "league",
    "challenges",
    "studies",
    "pictures",
    "duels",
    "ladder",
    "accounts",
    "notifications",
    "operations",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "accounts.apps.LoginsConfig",
    "anymail",
    "channels",
    "csp",
    "django_htmx",
    "fm_site.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "fm_site.serving.request_log.mark_request",
    "operations.web.client_address.identify_client",
    "operations.request_policy.remember_policy",
    "fm_site.serving.security.state_permissions",
    "fm_site.upkeep.health_probes.answer_probes",
    "fm_site.serving.former_domains.lead_to_new_domain",
    "fm_site.serving.without_visitor.forget_visitor",
    "accounts.languages.use_browser_language",
    "fm_site.serving.unavailable.answer_unavailable",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "fm_site.serving.compression.lighten",
    "fm_site.serving.security.OnePolicy",
    "fm_site.api.problems.send_problems",
    "fm_site.serving.request_text.refuse_unwritable_text",
    "duels.live.fragments.serve_fragments",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.languages.use_user_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "notifications.chosen_preferences.remember_preferences",
    "accounts.login_middleware.return_to_form",
    "accounts.hold_middleware.restrict_held_users",
    "accounts.guests.restrict_guests",
    "accounts.trace_middleware.trace_logins",
    "studies.progress_middleware.merge_progress_of_browser",
    "moderation.time_zone.use_readers_time_zone",
    "fm_site.serving.not_found.OwnNotFoundPage",
    "operations.web.repeated_forms.ActOncePerForm",
]
ROOT_URLCONF = "fm_site.urls"
WSGI_APPLICATION = "fm_site.wsgi.application"
ASGI_APPLICATION = "fm_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # First, so that our templates override those of libraries.
        "DIRS": [BASE_DIR / "fm_site" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "fm_site.pages.context.navigation",
            ],
        },
    }
]

# --- Rows ------------------------------------------------------------------------------------------------------------
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"] |= {
        # Page threads live as long as the process, so does their connection.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # A transaction that reads first and then writes fails immediately if another writer was quicker,
            # regardless of the timeout; one that takes the write lock first waits.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # The site has some hundred statements. By default, sqlite3 keeps 128 and prepares the others again and
            # again, which took 6 % of the time of our tests of emails.
            "cached_statements": 512,
            # Every commit waits until it is on the disk: with NORMAL, what a player or mail server was told that we
            # have could be lost in a power cut (measured in docs/performance.md).
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": env.int("CONN_MAX_AGE", default=60), "CONN_HEALTH_CHECKS": True}
    options = DATABASES["default"].setdefault("OPTIONS", {})
    # A server that accepts connections but never answers must not block a page for longer than this.
    options.setdefault("connect_timeout", 5)
    # Repeated queries are planned once for each connection, which halves PostgreSQL's work.
    if options.setdefault("server_side_binding", True):
        options.setdefault("prepare_threshold", 5)
    else:
        # A pooler may give each statement another connection, and a cursor lives in the one that opened it.
        DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
# How PostgreSQL itself is reached if DATABASE_URL leads to a pooler: pg_dump's settings for its session would stay in
# connections that others get next, and the restore drill needs a database that a pooler doesn't know.
FM_DIRECT_DATABASE = (
    {"OPTIONS": {}, **env.db_url("FM_DIRECT_DATABASE_URL")} if env.str("FM_DIRECT_DATABASE_URL", default="") else {}
)

# --- Redis or Valkey: cache, live updates, jobs ----------------------------------------------------------------------
REDIS_URL = env.str("REDIS_URL", default=embedded_redis_url(DATA_DIR))
CACHES = {
    "default": {
        "BACKEND": "fm_site.serving.resilient_cache.ResilientCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "fm",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
    }
}
CELERY_BROKER_URL = celery_url(REDIS_URL)
CELERY_BEAT_SCHEDULE = BEAT_SCHEDULE | (DEMONSTRATION_SCHEDULE if FM_DEMO else {})
CELERY_BEAT_SCHEDULER = "fm_site.beat:LeasedScheduler"
CELERY_TASK_DEFAULT_QUEUE = "firetop"
# The bots think in a separate worker, so that pages and emails never wait for them.
CELERY_TASK_ROUTES = {
    "duels.tasks.answer_for_bots": {"queue": "bots"},
    "challenges.tasks.seat_bots": {"queue": "bots"},
    "studies.tasks.play_exhibition": {"queue": "bots"},
    "studies.tasks.analyse_battles": {"queue": "analysis"},
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Do not let a page hang because a task cannot be queued: a sweep finds the row.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 10}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 0, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}

# --- Who is there ----------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backends.ByName",
    "accounts.backends.ByNameOrAddress",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
# Not a rule for passwords: it is called whenever a password changes.
AUTH_PASSWORD_VALIDATORS.append({"NAME": "accounts.services.credentials.CredentialsEndWithPassword"})
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Without a password, users log in with an emailed code.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1"]
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_REDIRECT_URL = "/accounts/mages/new/"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
# Neither pages nor emails tell a stranger whether an address has an account here.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PRESERVE_USERNAME_CASING = True
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# --- Language and time: times are stored and shown in UTC, a page may turn them into the reader's ---------------------
LANGUAGE_CODE = "en"
# The names are in the language itself, so they are not translated.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE: Literal["Lax"] = "Lax"
LANGUAGE_COOKIE_SECURE = FM_HTTPS
FORMAT_MODULE_PATH = "fm_site.texts.formats"
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# --- Files -----------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
# Where collected files are; a proxy may serve them from there.
STATIC_ROOT = Path(env.str("FM_STATIC_DIR", default=str(DATA_DIR / "static"))).resolve()
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "fm_site.serving.static_files.HashedFiles"
        if env.bool("FM_HASHED_FILES", default=not DEBUG)
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- Mail out: only email_gateway sends ------------------------------------------------------------------------------
# Without EMAIL_URL (or EMAIL_BACKEND, for an anymail provider), email stays on this site and is read at /mailbox/.
EMAIL_URL = env.str("EMAIL_URL", default="")
FM_MAIL_LEAVES_HOUSE = bool(EMAIL_URL) or "EMAIL_BACKEND" in env.ENVIRON
if EMAIL_URL:
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = env.str("EMAIL_BACKEND", default="email_gateway.deliver.local_mailbox.LocalMailboxBackend")
ANYMAIL = env.json("ANYMAIL", default={})
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"Firetop Mountain <fm@{FM_MAIL_DOMAIN}>")

# --- What a browser may do with our pages -----------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        # In current browsers 'self' covers the WebSocket of the same origin.
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
# Bytes of a form: far more than any orders need, far less than would keep a page busy for seconds.
FM_FORM_SIZE_LIMIT = DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000
if FM_MAIL_WEBHOOK:
    # A posted email is larger than a form, and Django has one limit for both.
    DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * FM_MAIL_SIZE_LIMIT + FM_FORM_SIZE_LIMIT
    MIDDLEWARE.insert(0, "fm_site.serving.form_size.small_forms")
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = FM_HTTPS
# No script reads it: forms have the token.
CSRF_COOKIE_HTTPONLY = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if FM_HTTPS else None
# A browser that has visited the site uses only HTTPS for 30 days. Sibling and subdomains are not ours to decide about,
# so the checks for them and for browsers' built-in lists are silenced.
SECURE_HSTS_SECONDS = env.int("FM_HSTS_SECONDS", default=30 * 86_400 if FM_HTTPS else 0)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Where to report a vulnerability (/.well-known/security.txt): a URI.
FM_SECURITY_CONTACT = env.str("FM_SECURITY_CONTACT", default=f"mailto:abuse@{FM_MAIL_DOMAIN}")
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[FM_SITE_URL] if FM_HTTPS else [])

LOGGING = make_logging(level=env.str("LOG_LEVEL", default="INFO"), as_json=not DEBUG)
