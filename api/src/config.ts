import { readFileSync } from 'node:fs';
import type { SuspensionRules } from '@apotheca/contract/tenant-access';
import type { z } from 'zod';
import type { BackupStores } from './backup-stores.ts';
import { withTls } from './db/connections/tls.ts';
import type { MailSettings } from './mail-settings.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { SECRET_SETTINGS, settings } from './settings.ts';

/** Paths of PEM files: the server's certificate, with those between it and the root's, and its private key. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** How FAQs are shown to readers who are not signed in (decision 056). */
export interface PublicFaqSettings {
  /** The sites that may show public pages in a frame. */
  frames: readonly string[];
}

/** How the server proves by itself that backups can be restored (decision 040). */
export interface Proofs {
  /** Minutes of a day that proofs may take; 0: it proves none by itself. */
  minutesPerDay: number;
  /** After how many days a backup is proved again, and a copy in a store read back. */
  cycleDays: number;
}

/** What a server process does: it answers callers, runs operations and all that the server does by itself, or both (decision 067). */
export type ProcessRole = 'all' | 'web' | 'worker';

export interface Config {
  port: number;
  host: string;
  role: ProcessRole;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  dataDir: string;
  secret: string | undefined;
  adminUsername: string;
  adminPassword: string | undefined;
  /** How many characters a new password needs. */
  passwordMin: number;
  demo: boolean;
  analyticsId: string | undefined;
  /** Absent: FAQs have no public pages. */
  publicFaq: PublicFaqSettings | undefined;
  /** Most connections of this server process to PostgreSQL. */
  maxConnections: number;
  /** Most connections of a tenant's role to PostgreSQL. */
  tenantConnections: number;
  /** Seconds between a signal to stop and the stop, in which balancers that poll /readyz move to other servers. */
  drainSeconds: number;
  /** Days for which ended sessions and attempts to sign in are kept. */
  sessionDays: number;
  /** Days for which deleted and replaced databases are kept; 0: not at all. */
  parkDays: number;
  /** What closes the databases of tenants to their programs. */
  suspension: SuspensionRules;
  /** Days for which entries of the audit trail are kept; 0: for ever. */
  auditDays: number;
  /** How much of a day the server proves backups by itself, and how often each one. */
  proofs: Proofs;
  /** Host names that the server answers to; none: any. */
  hosts: readonly string[];
  /** How many calls a minute each API key and API token may make; 0: any number. */
  callsPerMinute: number;
  /** Where people reach the console, without a slash at the end; absent: unknown. */
  publicUrl: string | undefined;
  /** Providers of OpenID Connect by which people sign in. */
  oidcProviders: readonly OidcProvider[];
  /** User name of the only account that may sign in with a password; absent: all may. */
  onlyLocalAccount: string | undefined;
  /** Addresses and ranges that may read /metrics and /docs. */
  operatorAddresses: readonly string[];
  /** Addresses and ranges of proxies whose forwarding headers count. */
  trustedProxies: readonly string[];
  webhookHosts: readonly string[];
  /** Whose databases may be adopted. */
  adoptionHosts: readonly string[];
  /** Absent: plain HTTP. */
  tls: TlsFiles | undefined;
  /** Where archives are copied, and for whom copies are encrypted. */
  stores: BackupStores;
  /** Where the embedded PostgreSQL's WAL is archived, and of how many days moments can be chosen; absent: nowhere. */
  walArchive: { folder: string; days: number } | undefined;
  /** Absent: no mails are sent. */
  mail: MailSettings | undefined;
  /** Whether each request is logged. */
  requestLog: boolean;
  /** Where traces are sent, by OTLP over HTTP, and which share of them; absent: nothing is traced. */
  traces: { endpoint: string; share: number } | undefined;
  /** Folder of pg_dump and pg_restore; absent: the server searches for them. */
  pgBinDir: string | undefined;
  logLevel: string;
}

/** The server cannot start, because of a setting or its surroundings. The message is one line for the terminal. */
export class StartError extends Error {}

/**
 * Reads the settings from environment variables.
 * @throws StartError naming every wrong setting
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = withFiles(Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== '')));
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new StartError(parsed.error.issues.map((issue) => issue.message).join('; '));
  const values = parsed.data;
  const stores = { places: values.APOTHECA_BACKUP_STORES, recipients: values.APOTHECA_BACKUP_RECIPIENT };
  refusePlainCopiesAway(stores);
  refuseNoWayIn(values);
  return {
    port: values.PORT,
    host: values.HOST,
    role: values.APOTHECA_ROLE,
    databaseUrl: values.DATABASE_URL && readDatabaseUrl(values.DATABASE_URL, given),
    dataDir: values.APOTHECA_DATA_DIR,
    secret: values.APOTHECA_SECRET,
    adminUsername: values.APOTHECA_ADMIN_USERNAME,
    adminPassword: values.APOTHECA_ADMIN_PASSWORD,
    passwordMin: values.APOTHECA_PASSWORD_MIN,
    demo: values.APOTHECA_DEMO ? values.APOTHECA_DEMO === 'on' : !values.DATABASE_URL,
    analyticsId: values.APOTHECA_ANALYTICS_ID,
    publicFaq: values.APOTHECA_PUBLIC_FAQ === 'on' ? { frames: values.APOTHECA_PUBLIC_FAQ_FRAMES } : undefined,
    maxConnections: values.APOTHECA_MAX_CONNECTIONS,
    tenantConnections: values.APOTHECA_TENANT_CONNECTIONS,
    drainSeconds: values.APOTHECA_DRAIN_SECONDS,
    sessionDays: values.APOTHECA_SESSION_DAYS,
    parkDays: values.APOTHECA_PARK_DAYS,
    suspension: {
      mode: values.APOTHECA_SUSPENSION,
      graceDays: values.APOTHECA_GRACE_DAYS,
      readOnlyDays: values.APOTHECA_READ_ONLY_DAYS,
    },
    auditDays: values.APOTHECA_AUDIT_DAYS,
    proofs: { minutesPerDay: values.APOTHECA_PROOF_MINUTES, cycleDays: values.APOTHECA_PROOF_DAYS },
    hosts: values.APOTHECA_HOSTS,
    callsPerMinute: values.APOTHECA_RATE_LIMIT,
    publicUrl: values.APOTHECA_PUBLIC_URL,
    oidcProviders: values.APOTHECA_OIDC_PROVIDERS,
    onlyLocalAccount: values.APOTHECA_LOCAL_SIGN_IN === 'on' ? undefined : values.APOTHECA_LOCAL_SIGN_IN,
    operatorAddresses: values.APOTHECA_METRICS_FROM,
    trustedProxies: values.APOTHECA_TRUSTED_PROXIES,
    webhookHosts: values.APOTHECA_WEBHOOK_HOSTS,
    adoptionHosts: values.APOTHECA_ADOPTION_HOSTS,
    tls: readTlsFiles(values.APOTHECA_TLS_CERT, values.APOTHECA_TLS_KEY),
    stores,
    walArchive: values.APOTHECA_WAL_ARCHIVE
      ? { folder: values.APOTHECA_WAL_ARCHIVE, days: values.APOTHECA_WAL_ARCHIVE_DAYS }
      : undefined,
    mail: readMailSettings(values.APOTHECA_SMTP_URL, values.APOTHECA_MAIL_FROM, values.APOTHECA_PUBLIC_URL),
    requestLog: values.APOTHECA_REQUEST_LOG === 'on',
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, share: values.OTEL_TRACES_SAMPLER_ARG }
      : undefined,
    pgBinDir: values.PG_BIN_DIR,
    logLevel: values.LOG_LEVEL,
  };
}

/** The given settings, with those that stand in files. @throws StartError naming a file that cannot be read */
function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const fromFiles = SECRET_SETTINGS.flatMap((name) => {
    const file = given[`${name}_FILE`];
    if (file === undefined) return [];
    if (given[name] !== undefined) throw new StartError(`${name} and ${name}_FILE must not be set together`);
    return [[name, readSecret(`${name}_FILE`, file)] as const];
  });
  return { ...given, ...Object.fromEntries(fromFiles) };
}

function readSecret(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`${setting} names a file that cannot be read: ${(error as Error).message}`);
  }
}

/** @throws StartError naming a wrong sslmode */
function readDatabaseUrl(url: string, given: Record<string, string | undefined>): string {
  try {
    return withTls(url, given);
  } catch (error) {
    throw new StartError(`sslmode of DATABASE_URL, or PGSSLMODE, ${(error as Error).message}`);
  }
}

function readTlsFiles(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  if (cert && key) return { cert, key };
  if (cert || key) throw new StartError('APOTHECA_TLS_CERT and APOTHECA_TLS_KEY must be set together');
  return undefined;
}

/** Without a mail server the address of the console is of use to others. @throws StartError where part of the three is missing */
function readMailSettings(
  server: MailSettings['server'] | undefined,
  from: string | undefined,
  publicUrl: string | undefined,
): MailSettings | undefined {
  if (server && from && publicUrl) return { server, from, publicUrl };
  if (!server && !from) return undefined;
  const given = { APOTHECA_SMTP_URL: server, APOTHECA_MAIL_FROM: from, APOTHECA_PUBLIC_URL: publicUrl };
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
  throw new StartError(`Sending mails also needs ${missing.join(' and ')}`);
}

/** A bucket is somebody else's machine, so archives, which hold every record of a tenant, go there encrypted only. */
function refusePlainCopiesAway({ places, recipients }: BackupStores): void {
  if (recipients.length > 0 || places.every(({ kind }) => kind === 'file')) return;
  throw new StartError(
    'APOTHECA_BACKUP_STORES has an s3 store, where archives lie encrypted only: set APOTHECA_BACKUP_RECIPIENT to a public key of age',
  );
}

/** Whether browsers let the console hash what binds a sign-in to them: over TLS, or on this machine. */
const isSecureOrigin = (url = '') => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(url);

/** Providers return to the console's address, and passwords are switched off only where there is another way to sign in. */
function refuseNoWayIn(values: z.output<typeof settings>): void {
  if (values.APOTHECA_OIDC_PROVIDERS.length > 0) {
    if (!isSecureOrigin(values.APOTHECA_PUBLIC_URL))
      throw new StartError('APOTHECA_OIDC_PROVIDERS needs an APOTHECA_PUBLIC_URL that begins with https://');
  } else if (values.APOTHECA_LOCAL_SIGN_IN !== 'on') {
    throw new StartError('APOTHECA_LOCAL_SIGN_IN needs APOTHECA_OIDC_PROVIDERS, or must be on');
  }
}
