# Two images: `site` runs one process of Lilypad, `proxy` is nginx with the static files of the same release.
# compose.yaml puts them together; docs/operations.md tells how they are run.

FROM python:3.13-slim-trixie AS build
WORKDIR /srv/lilypad
COPY bin/setup bin/catalogues bin/
COPY locale locale
COPY requirements.txt .
RUN bin/setup
COPY . .
RUN .venv/bin/python manage.py collectstatic --no-input --verbosity 0 && mkdir var/backups && rm -f var/secret-key

FROM nginx:1.29-alpine AS proxy
COPY deploy/nginx/nginx.conf /etc/nginx/nginx.conf
COPY deploy/nginx/upstream-containers.conf /etc/nginx/conf.d/upstream.conf
COPY deploy/nginx/lilypad.conf /etc/nginx/conf.d/default.conf
COPY --from=build /srv/lilypad/var/static /srv/lilypad/var/static

FROM python:3.13-slim-trixie AS site
# The newest is wanted of what `manage.py backup` needs, with all its security fixes.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home lilypad
COPY --from=build /srv/lilypad /srv/lilypad
RUN chown -R lilypad: /srv/lilypad/var/backups
WORKDIR /srv/lilypad
ENV HOST=0.0.0.0 PORT=8000 PATH=/srv/lilypad/.venv/bin:$PATH PYTHONUNBUFFERED=1
EXPOSE 8000
USER 10001
# Ready, not only alive: whoever starts one process after the other waits for this. Nobody is restarted for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz')"]
CMD ["bin/serve"]
