"""All settings, from the environment. bin/settings makes the list in docs/operations.md of the comments with `#:`."""

import os
from contextlib import suppress
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from config.logs import logging_for

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = BASE_DIR / "var"  # what this machine makes itself: database, key, collected static files
VAR.mkdir(exist_ok=True)
env = environ.Env()


def key_of_this_machine() -> str:
    """A secret key made once and kept, so that nobody need think of one to try the site."""
    kept = VAR / "secret-key"
    if not kept.exists():
        made = VAR / f"secret-key.{os.getpid()}"
        made.touch(mode=0o600)
        made.write_text(get_random_secret_key())
        with suppress(FileExistsError):  # another process may have been faster; then its key counts
            os.link(made, kept)
        made.unlink()
    return kept.read_text()


#: `1` for a real site, behind a proxy that speaks TLS; it must bring a key of its own
HTTPS = env.bool("HTTPS", default=False)
#: `1` shows errors in the browser and changed static files at once; never on a real site
DEBUG = env.bool("DEBUG", default=False)
#: signs sessions; whoever knows it can be anybody | made once, kept in `var/`; with `HTTPS` it has to be set
SECRET_KEY = env.str("SECRET_KEY") if HTTPS else env.str("SECRET_KEY", default="") or key_of_this_machine()
#: names of the site, with commas between | this machine's
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

#: how many proxies of ours a request passes, each of which adds to `X-Forwarded-For` | 1 with `HTTPS`, else 0
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=1 if HTTPS else 0)
#: whoever sends it as a bearer token may read `/metrics` | nobody may
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

PROVIDERS = {  # where each asks people who they are; a form may lead there, see CONTENT_SECURITY_POLICY
    "discord": "https://discord.com",
    "github": "https://github.com",
    "gitlab": "https://gitlab.com",
    "google": "https://accounts.google.com",
}
#: others to log in by: `discord`, `github`, `gitlab`, `google`; each needs its `GITHUB_ID` and `GITHUB_SECRET`
SIGN_IN_WITH = env.list("SIGN_IN_WITH", default=[])

INSTALLED_APPS = [
    *(["daphne"] if DEBUG else []),  # gives `manage.py runserver` websockets
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{name}" for name in SIGN_IN_WITH),
    "accounts",  # after allauth's apps, as its admin takes the place of theirs
    "games",
    "games.race",
    "channels",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "config.requests.Requests",
    "config.headers.Headers",
    "config.requests.NoNul",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accounts.language.LanguageOfPage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.GuestsAtTheDoor",
    "config.pages.NotAllowed",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.look.context",
            ],
        },
    },
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

#: `postgres://user:password@host/name`, or `sqlite:///path` | SQLite in `var/`
if "DATABASE_URL" in os.environ and not env.str("DATABASE_URL").startswith("sqlite"):
    postgres = env.db("DATABASE_URL")
    # While the server is away a move is refused after a second: those who wait do so one after the other.
    # Django lets nothing be prepared, as some poolers lose it. Its own statements are not even so; the journal's is.
    options = postgres.get("OPTIONS", {}) | {"pool": {"timeout": 1}, "prepare_threshold": 5}
    DATABASES = {"default": postgres | {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}}
else:
    DATABASES = {
        "default": env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'lilypad.sqlite3'}")
        | {
            "OPTIONS": {
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
                "transaction_mode": "IMMEDIATE",  # take the write lock at once: no deadlock half-way
                "timeout": 5,
            },
            # A file, as the journal's thread writes too; named by process, so that two test runs never meet.
            "TEST": {"NAME": VAR / f"test-{os.getpid()}.sqlite3"},
        }
    }

#: `redis://host/0`, by which several processes find one another and share throttles | one process
if REDIS_URL := env.str("REDIS_URL", default=""):
    CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
    CACHES = {"default": {"BACKEND": "config.cache.RedisWhileThere", "LOCATION": REDIS_URL}}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

#: requests a second on one account's websockets, for long, at each process
REQUESTS_PER_SECOND = env.int("REQUESTS_PER_SECOND", default=20)
#: the same, at once
REQUEST_BURST = env.int("REQUEST_BURST", default=60)
#: one address may ask of one process as much as so many accounts, however many are there
ACCOUNTS_PER_ADDRESS = env.int("ACCOUNTS_PER_ADDRESS", default=20)
#: websockets that one address may have open at once, and new in a minute, at each process
SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", default=300)
#: websockets that one process takes in at once; pages it answers all the same
MOST_CONNECTIONS = env.int("MOST_CONNECTIONS", default=15_000)
#: seconds that a process goes on answering 503 after SIGTERM, until a proxy notices; at most 20
DRAIN_SECONDS = env.float("DRAIN_SECONDS", default=2)
if DRAIN_SECONDS > 20:
    raise ImproperlyConfigured("DRAIN_SECONDS is at most 20: after 30 a process is killed, and it has to end before.")

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "mine"
ACCOUNT_ADAPTER = "accounts.adapter.GuestAdapter"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # a guest is logged in and must still reach these pages
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True  # one address an account; a new one counts once it is verified
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Lilypad: "
ACCOUNT_PREVENT_ENUMERATION = "strict"  # not even signing up tells whether somebody here has this address
ACCOUNT_RATE_LIMITS = {
    "change_name": "5/m/user",
    "delete_account": "5/m/user",
    "export": "30/h/ip,10/h/user",
    "new_game": "120/m/ip,60/m/key",  # a key is an account, see accounts/limits.py
    "new_race": "60/m/ip,30/m/key",
    "review": "12/m/ip,6/m/key",
    "find_race": "120/m/ip,120/m/key",
}
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["webauthn", "totp", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Lilypad"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers allow it for localhost alone
SOCIALACCOUNT_ADAPTER = "accounts.adapter.ProviderAdapter"
SOCIALACCOUNT_PROVIDERS = {
    name: {"APPS": [{"client_id": env.str(f"{name.upper()}_ID"), "secret": env.str(f"{name.upper()}_SECRET")}]}
    for name in SIGN_IN_WITH
}
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60  # a guest has nothing but the session to come back with

#: how mail is sent, such as `smtp+tls://user:password@host:587` | printed
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))  # EMAIL_BACKEND, EMAIL_HOST, …
#: whom mail is from
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Lilypad <lilypad@localhost>")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ru", "Русский")]  # each by its own name
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "borrowed"]  # the second: what others say, said our way
FORMAT_MODULE_PATH = "config.formats"
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise warns without it, as in a fresh clone before anything was collected
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"},
}

# Everything comes from this site, nothing from the page itself: no inline script, no inline style.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF, *(PROVIDERS[name] for name in SIGN_IN_WITH)],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # entering the browsers' preload list is for the domain's owner to decide

LOGGING = logging_for(json=HTTPS)
