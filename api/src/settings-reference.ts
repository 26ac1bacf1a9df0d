// The reference of the settings, docs/configuration.md, made of their schema: `npm run configuration`. A test compares the page with it.
import { SECRET_SETTINGS, type SettingName, settings } from './settings.ts';

/** What each setting means, in Markdown, in the order of the page. */
const MEANINGS: Record<SettingName, string> = {
  PORT: 'Port of console and API; `0` takes a free one.',
  HOST: 'Address to listen on. `0.0.0.0` answers on all addresses of the machine.',
  APOTHECA_ROLE:
    'What the process does: `web` answers callers, `worker` runs operations, schedules and all that the server does by itself, `all` both ([operations.md](operations.md#several-servers-on-one-database)).',
  DATABASE_URL:
    'A PostgreSQL server of your own, as `postgresql://user:password@host:5432/database`, or several hosts of which one takes writes, as `…@one:5432,two:5432/database` ([operations.md](operations.md#high-availability)). The database is made when the server has none of that name. Absent: the embedded PostgreSQL.',
  APOTHECA_DATA_DIR:
    'Folder of the generated secrets, of the backups and of the embedded PostgreSQL. A relative path starts at the folder in which the server is started; with `npm start` that is the repository.',
  APOTHECA_SECRET:
    'At least 32 characters, from which the keys for tokens, audit trail and stored role passwords are derived. Absent: generated once and kept in the data folder.',
  APOTHECA_ADMIN_USERNAME:
    'User name of the first administrator, at most 20 printable characters. Used only while there is no user yet.',
  APOTHECA_ADMIN_PASSWORD:
    'Password of the first administrator, `APOTHECA_PASSWORD_MIN` to 30 characters, none of the 10,000 most common ones. Used only while there is no user yet.',
  APOTHECA_PASSWORD_MIN: 'How many characters a new password needs, 5 to 30. Old ones go on working.',
  APOTHECA_DEMO: '`on` makes the demo users, FAQs and tenants once; `off` does not.',
  APOTHECA_ANALYTICS_ID: 'Id of a Google Analytics tag. Absent: the console loads nothing from other servers.',
  APOTHECA_PUBLIC_FAQ: '`on`: what is published of FAQs can be read at `/public/faqs` without signing in.',
  APOTHECA_PUBLIC_FAQ_FRAMES:
    'Sites, such as `https://www.clinic.org`, with commas between, that may show these pages in a frame.',
  APOTHECA_MAX_CONNECTIONS:
    'Most connections of a server process to PostgreSQL, 20 to 1000. What pg_dump and pg_restore open comes on top.',
  APOTHECA_TENANT_CONNECTIONS:
    "Most connections of a tenant's role to PostgreSQL, 5 to 1000. A changed value counts for every role within a minute after the start.",
  APOTHECA_DRAIN_SECONDS:
    'Seconds between the signal to stop and the stop, in which `/readyz` is 503 and calls are answered, 0 to 300. Nothing is waited for where nobody asked for `/readyz` in the last minute.',
  APOTHECA_SESSION_DAYS:
    'Days after which ended sessions and attempts to sign in are removed, 1 to 3650. Who signed in when stays in the audit trail.',
  APOTHECA_AUDIT_DAYS: 'Days for which entries of the audit trail are kept, 0 to 36500. `0`: for ever.',
  APOTHECA_PARK_DAYS:
    'Days for which deleted and replaced databases are kept, so that they can be put back, 0 to 3650. `0` keeps none: they are dropped at once. A changed value counts for what is deleted from then on.',
  APOTHECA_SUSPENSION:
    '`enforce`: the database of a deactivated tenant is closed to its programs, and that of an expired one in steps. `flag`: they are only marked.',
  APOTHECA_GRACE_DAYS: 'Days after the end of a subscription in which nothing changes, 0 to 3650.',
  APOTHECA_READ_ONLY_DAYS:
    'Days after those in which programs can only read, 0 to 3650; then the database is closed to them.',
  APOTHECA_PROOF_MINUTES:
    'How many minutes in 24 hours the server may spend on proving backups by restoring them, 0 to 1440. Nothing is proved by itself while no database has a schedule of backups. `0`: never.',
  APOTHECA_PROOF_DAYS: 'Days after which a backup is proved again, and a copy in a store is read back, 1 to 365.',
  APOTHECA_RATE_LIMIT:
    'How many calls a minute each API key and API token may make to a server process, 0 to 1000000; `0`: any number. Each process counts for itself, so several that answer callers let through up to that many each.',
  APOTHECA_HOSTS:
    'Names, without ports and with commas between, by which the server may be asked; other names in the header `Host` are refused but for `/healthz` and `/readyz`. Absent: any name will do.',
  APOTHECA_PUBLIC_URL:
    'Where people reach the console, as `https://console.example.com`. Links in mails begin with it, passkeys belong to its name. Absent: passkeys work where the console is opened as `localhost` only.',
  APOTHECA_OIDC_PROVIDERS:
    'Providers of OpenID Connect by which people sign in: JSON, or the path of a file of JSON ([operations.md](operations.md#signing-in-by-a-provider)). Needs an `APOTHECA_PUBLIC_URL` that begins with `https://`, or one of this machine.',
  APOTHECA_LOCAL_SIGN_IN:
    'Who may sign in with a password: `on` everybody; a user name that account only, for when no provider answers. It has at most 20 printable characters, as every user name.',
  APOTHECA_TRUSTED_PROXIES:
    'Addresses and ranges, with commas between, of proxies whose headers about the caller are trusted: `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` ([operations.md](operations.md#behind-a-proxy)).',
  APOTHECA_WEBHOOK_HOSTS:
    'Host names, addresses and ranges, with commas between, that webhooks may send to though they are not on the public internet, also without TLS ([operations.md](operations.md#events-to-others)).',
  APOTHECA_ADOPTION_HOSTS:
    'Host names, addresses and ranges, with commas between, of PostgreSQL servers whose databases may be adopted ([operations.md](operations.md#databases-of-other-systems)). Absent: databases are adopted from archives only.',
  APOTHECA_TLS_CERT:
    "PEM file of the server's certificate, followed by those between it and its root. With it and the key the server speaks TLS only; changed files count without a restart. Absent: plain HTTP.",
  APOTHECA_TLS_KEY: "PEM file of the certificate's private key.",
  APOTHECA_METRICS_FROM:
    'Addresses and ranges, with commas between, from which `/metrics`, `/docs` and `/openapi.json` can be asked. What a proxy passes on is never answered there.',
  APOTHECA_BACKUP_STORES:
    "Where each archive is copied, with commas between: `file:/path` of a folder that exists, `s3://bucket/prefix?endpoint=https://host&region=…&profile=…`. Credentials stand in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` or in AWS's files, never here ([operations.md](operations.md#copies-off-the-machine)). Absent: the data folder only.",
  APOTHECA_BACKUP_RECIPIENT:
    'Public keys of [age](https://age-encryption.org) (`age1…`), with commas between, that copies are encrypted for. An `s3` store needs one, and so do backups of the installation itself.',
  APOTHECA_WAL_ARCHIVE:
    "Absolute path of a folder, best on another disk, where [pgBackRest](https://pgbackrest.org) archives every change of the embedded PostgreSQL, so that a tenant can be restored to a point in time ([operations.md](operations.md#restoring-one-tenant-to-a-point-in-time)). Counts from PostgreSQL's next start on. Absent: nothing is archived.",
  APOTHECA_WAL_ARCHIVE_DAYS: 'Of how many days points in time can be chosen, 1 to 3650.',
  APOTHECA_SMTP_URL:
    'Mail server: `smtp://user:password@host:587` (STARTTLS, unless it is on this machine) or `smtps://…`. With it and the two beside it, people who forgot their password get a link by mail ([operations.md](operations.md#mail)). Absent: no mails are sent.',
  APOTHECA_MAIL_FROM: 'Sender of the mails: an address, or `Apotheca <console@clinic.org>`.',
  APOTHECA_REQUEST_LOG:
    '`on`: a line in the log for each request, with its id, route, status, duration and user ([operations.md](operations.md#the-log)).',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Where traces are sent, such as `http://localhost:4318`: a collector of OpenTelemetry that takes OTLP over HTTP ([operations.md](operations.md#traces)). Absent: nothing is traced.',
  OTEL_TRACES_SAMPLER_ARG: 'The share of traces that are sent, 0 to 1.',
  PG_BIN_DIR: "Folder of pg_dump and pg_restore. Absent: they are looked for on the PATH and in Debian's folders.",
  LOG_LEVEL: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
};

/** What counts where a setting is absent and its schema has no default. */
const WITHOUT: Partial<Record<SettingName, string>> = {
  APOTHECA_SECRET: 'generated',
  APOTHECA_ADMIN_PASSWORD: 'generated',
  APOTHECA_DEMO: '`on` with the embedded PostgreSQL, `off` with `DATABASE_URL`',
};

const HEAD = `# Settings

Made by \`npm run configuration\` from \`api/src/settings.ts\` and \`api/src/settings-reference.ts\`; a test compares it.

All settings are environment variables, and all are optional. An empty variable counts as absent. A wrong value stops the
start with one line that names it. A variable that begins with \`APOTHECA_\` and is no setting is ignored, and the start
says so in a line. Apotheca reads no \`.env\` file by itself; [.env.example](../.env.example) says how to use one.

Settings that are secrets can stand in files: for \`X\`, \`X_FILE\` names a file whose text, without blanks around it, is
the value. That is how containers and systemd pass secrets on. Both at once stop the start. They are
${SECRET_SETTINGS.map((name) => `\`${name}\``).join(', ')}.

| Variable | Default | Meaning |
|---|---|---|
`;

/** The page docs/configuration.md. */
export function settingsReference(): string {
  const rows = Object.entries(MEANINGS).map(
    ([name, meaning]) => `| \`${name}\` | ${defaultOf(name as SettingName)} | ${meaning} |\n`,
  );
  return HEAD + rows.join('');
}

function defaultOf(name: SettingName): string {
  const value: unknown = settings.shape[name].parse(undefined);
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return WITHOUT[name] ?? (text === '' ? 'none' : `\`${text}\``);
}
