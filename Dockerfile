# Apotheca's image: server, console and PostgreSQL's client programs on a base without a shell (docs/operations.md#in-a-container).
#   docker build --tag apotheca .

# Builds console and server, and collects what runs (scripts/production.mjs).
FROM node:24-trixie-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run production -- /apotheca && install --directory --owner=10001 --group=10001 --mode=0700 /data

# pg_dump and pg_restore with the libraries that they load and the base does not have, each in its own folder below /client. They must be
# no older than the server.
FROM postgres:18-trixie AS client
RUN set -eux; \
  programs="$(ls /usr/lib/postgresql/18/bin/pg_dump /usr/lib/postgresql/18/bin/pg_restore)"; \
  libraries="$(ldd $programs | awk '$2 == "=>" { print $3 }' | grep -Ev '/lib(c|m|ssl|crypto|gcc_s|stdc\+\+)\.so' | sort -u)"; \
  for file in $programs $libraries; do \
    install -D "$(readlink -f "$file")" "/client$(readlink -f "$(dirname "$file")")/$(basename "$file")"; \
  done

# PgBouncer for tenants' programs (docs/operations.md#pgbouncer): docker build --target pgbouncer --tag apotheca-pgbouncer .
FROM debian:trixie-slim AS pgbouncer
RUN apt-get update && apt-get install --yes --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
USER 10001:10001
EXPOSE 6432
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["bash", "-c", "</dev/tcp/127.0.0.1/6432"]
ENTRYPOINT ["pgbouncer", "/var/lib/apotheca/pgbouncer/pgbouncer.ini"]

# glibc, libstdc++, certificates and time zones; no shell, no package manager.
FROM gcr.io/distroless/cc-debian13
COPY --from=client /client /
COPY --from=build /apotheca /usr/lib/apotheca
COPY --from=build --chown=10001:10001 /data /var/lib/apotheca
WORKDIR /usr/lib/apotheca
# Archives of backups and, unless APOTHECA_SECRET is set, the generated secret. /tmp is for certificates by which database
# servers are verified. All else may be read-only.
VOLUME /var/lib/apotheca
# HOST: only what is published of a container can be reached. PG_BIN_DIR: the client programs. MALLOC_ARENA_MAX: as scripts/start.mjs.
ENV HOST=0.0.0.0 \
  APOTHECA_DATA_DIR=/var/lib/apotheca \
  PG_BIN_DIR=/usr/lib/postgresql/18/bin \
  MALLOC_ARENA_MAX=1
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# An hour for the start, as in the chart: it listens once it has migrated. The first check that succeeds ends it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=1h --retries=3 \
  CMD ["bin/node", "api/src/health-check.ts"]
ENTRYPOINT ["bin/node", "--max-semi-space-size=4", "--heap-growing-percent=60", "--expose-gc"]
CMD ["api/dist/main.cjs"]
