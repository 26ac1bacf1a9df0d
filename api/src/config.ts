import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { PASSWORD_MAX, PASSWORD_MIN } from '@apotheca/contract/auth';
import type { SuspensionRules } from '@apotheca/contract/tenant-access';
import { z } from 'zod';
import { isAddressRange, LOOPBACK } from './address-range.ts';
import { type BackupStores, NO_STORES, readStorePlaces, type StorePlace } from './backup-stores.ts';
import { isCommonPassword } from './common-passwords.ts';
import { readConnectionString } from './db/connections/connection-string.ts';
import { withTls } from './db/connections/tls.ts';
import { isMailFrom, type MailSettings, readMailServer } from './mail-settings.ts';
import { type OidcProvider, readOidcProviders } from './oidc-providers.ts';

const isPlainOrigin = (value: string) =>
  URL.canParse(value) &&
  /^https?:$/.test(new URL(value).protocol) &&
  new URL(value).href === `${new URL(value).origin}/`;

const isCollector = (value: string) => {
  const { protocol, username, password, search, hash } = URL.parse(value) ?? { protocol: '' };
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
};

const wholeNumber = (name: string, min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
      `${name} must be a number from ${min} to ${max}`,
    )
    .transform(Number);

const addressRanges = (name: string) =>
  z
    .string()
    .transform((value) => value.split(','))
    .refine(
      (entries) => entries.every(isAddressRange),
      `${name} must be addresses or ranges such as 10.0.0.0/8, with commas between`,
    );

const hosts = (name: string) =>
  z
    .string()
    .transform((value) => value.split(','))
    .refine(
      (entries) => entries.every((entry) => isAddressRange(entry) || /^(?![\d.]+$)[a-z0-9.-]+$/i.test(entry)),
      `${name} must be host names, addresses or ranges such as 10.0.0.0/8, with commas between`,
    );

/** The settings of DECISIONS §2; docs/configuration.md lists them. An empty variable counts as absent. */
export const settings = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  APOTHECA_ROLE: z.enum(['all', 'web', 'worker'], { error: 'APOTHECA_ROLE must be all, web or worker' }).default('all'),
  DATABASE_URL: z
    .string()
    .transform((value, { addIssue }): string => {
      try {
        return readConnectionString(value);
      } catch (error) {
        addIssue({ code: 'custom', message: `DATABASE_URL ${(error as Error).message}` });
        return z.NEVER;
      }
    })
    .optional(),
  APOTHECA_DATA_DIR: z.string().default('data'),
  APOTHECA_SECRET: z.string().min(32, 'APOTHECA_SECRET must have at least 32 characters').optional(),
  APOTHECA_ADMIN_USERNAME: z
    .string()
    .max(20, 'APOTHECA_ADMIN_USERNAME must have at most 20 characters')
    // The sign-in form removes such blanks, so nobody could sign in.
    .refine((value) => value === value.trim(), 'APOTHECA_ADMIN_USERNAME must have no blanks around it')
    .default('admin'),
  APOTHECA_ADMIN_PASSWORD: z
    .string()
    .min(5, 'APOTHECA_ADMIN_PASSWORD must have 5 to 30 characters')
    .max(30, 'APOTHECA_ADMIN_PASSWORD must have 5 to 30 characters')
    .refine(
      (value) => !isCommonPassword(value),
      'APOTHECA_ADMIN_PASSWORD must be none of the 10,000 most common passwords',
    )
    .optional(),
  APOTHECA_PASSWORD_MIN: wholeNumber('APOTHECA_PASSWORD_MIN', PASSWORD_MIN, PASSWORD_MAX).default(12),
  APOTHECA_DEMO: z.enum(['on', 'off'], { error: 'APOTHECA_DEMO must be on or off' }).optional(),
  APOTHECA_ANALYTICS_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/, 'APOTHECA_ANALYTICS_ID must have letters, digits and dashes only')
    .optional(),
  APOTHECA_MAX_CONNECTIONS: wholeNumber('APOTHECA_MAX_CONNECTIONS', 20, 1000).default(40),
  APOTHECA_PUBLIC_FAQ: z.enum(['on', 'off'], { error: 'APOTHECA_PUBLIC_FAQ must be on or off' }).default('off'),
  APOTHECA_PUBLIC_FAQ_FRAMES: z
    .string()
    .transform((value) => value.split(','))
    .refine(
      (sites) => sites.every(isPlainOrigin),
      'APOTHECA_PUBLIC_FAQ_FRAMES must be sites such as https://www.example.com, with commas between',
    )
    .transform((sites) => sites.map((site) => new URL(site).origin))
    .default([]),
  APOTHECA_DRAIN_SECONDS: wholeNumber('APOTHECA_DRAIN_SECONDS', 0, 300).default(5),
  APOTHECA_SESSION_DAYS: wholeNumber('APOTHECA_SESSION_DAYS', 1, 3_650).default(90),
  APOTHECA_PARK_DAYS: wholeNumber('APOTHECA_PARK_DAYS', 0, 3_650).default(7),
  APOTHECA_SUSPENSION: z
    .enum(['enforce', 'flag'], { error: 'APOTHECA_SUSPENSION must be enforce or flag' })
    .default('enforce'),
  APOTHECA_GRACE_DAYS: wholeNumber('APOTHECA_GRACE_DAYS', 0, 3_650).default(14),
  APOTHECA_READ_ONLY_DAYS: wholeNumber('APOTHECA_READ_ONLY_DAYS', 0, 3_650).default(14),
  APOTHECA_AUDIT_DAYS: wholeNumber('APOTHECA_AUDIT_DAYS', 0, 36_500).default(0),
  APOTHECA_PROOF_MINUTES: wholeNumber('APOTHECA_PROOF_MINUTES', 0, 1_440).default(60),
  APOTHECA_PROOF_DAYS: wholeNumber('APOTHECA_PROOF_DAYS', 1, 365).default(7),
  APOTHECA_RATE_LIMIT: wholeNumber('APOTHECA_RATE_LIMIT', 0, 1_000_000).default(6_000),
  APOTHECA_HOSTS: z
    .string()
    .regex(/^[^\s:/,]+(,[^\s:/,]+)*$/, 'APOTHECA_HOSTS must be names without ports, with commas between')
    .transform((value) => value.split(','))
    .default([]),
  APOTHECA_PUBLIC_URL: z
    .string()
    .refine(isPlainOrigin, 'APOTHECA_PUBLIC_URL must look like https://console.example.com, without a path')
    .transform((value) => new URL(value).origin)
    .optional(),
  APOTHECA_OIDC_PROVIDERS: z
    .string()
    .transform((value, { addIssue }): OidcProvider[] => {
      try {
        return readOidcProviders(value);
      } catch (error) {
        addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .default([]),
  APOTHECA_LOCAL_SIGN_IN: z
    .string()
    .refine((value) => value === value.trim(), 'APOTHECA_LOCAL_SIGN_IN must have no blanks around it')
    .default('on'),
  APOTHECA_METRICS_FROM: addressRanges('APOTHECA_METRICS_FROM').default([...LOOPBACK]),
  APOTHECA_TRUSTED_PROXIES: addressRanges('APOTHECA_TRUSTED_PROXIES').default([]),
  APOTHECA_WEBHOOK_HOSTS: hosts('APOTHECA_WEBHOOK_HOSTS').default([]),
  APOTHECA_ADOPTION_HOSTS: hosts('APOTHECA_ADOPTION_HOSTS').default([]),
  APOTHECA_TLS_CERT: z.string().optional(),
  APOTHECA_TLS_KEY: z.string().optional(),
  APOTHECA_TENANT_CONNECTIONS: wholeNumber('APOTHECA_TENANT_CONNECTIONS', 5, 1000).default(20),
  APOTHECA_BACKUP_STORES: z
    .string()
    .transform((value, { addIssue }): StorePlace[] => {
      try {
        return readStorePlaces(value);
      } catch (error) {
        addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .default([...NO_STORES.places]),
  APOTHECA_BACKUP_RECIPIENT: z
    .string()
    .transform((value) => value.split(',').map((recipient) => recipient.trim()))
    // The value is not repeated: somebody may have put the secret key there.
    .refine(
      (recipients) => recipients.every((recipient) => /^age1[0-9a-z]+$/.test(recipient)),
      'APOTHECA_BACKUP_RECIPIENT must be public keys of age (age1…), with commas between',
    )
    .default([...NO_STORES.recipients]),
  APOTHECA_WAL_ARCHIVE: z
    .string()
    .refine(
      (value) => isAbsolute(value) && !/[\r\n]/.test(value),
      'APOTHECA_WAL_ARCHIVE must be the path of a folder, beginning with /',
    )
    .optional(),
  APOTHECA_WAL_ARCHIVE_DAYS: wholeNumber('APOTHECA_WAL_ARCHIVE_DAYS', 1, 3_650).default(14),
  APOTHECA_SMTP_URL: z
    .string()
    // The value is not repeated: it may hold a password.
    .refine(readMailServer, 'APOTHECA_SMTP_URL must look like smtp://user:password@host:587 or smtps://…')
    .transform(readMailServer)
    .optional(),
  APOTHECA_MAIL_FROM: z
    .string()
    .refine(isMailFrom, 'APOTHECA_MAIL_FROM must be an address, or look like Apotheca <console@clinic.org>')
    .optional(),
  APOTHECA_REQUEST_LOG: z.enum(['on', 'off'], { error: 'APOTHECA_REQUEST_LOG must be on or off' }).default('off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    // The value is not repeated: it may hold a password.
    .refine(isCollector, 'OTEL_EXPORTER_OTLP_ENDPOINT must look like http://localhost:4318, without user and password')
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine(
      (value) => /^(0|1|[01]?\.\d+)$/.test(value) && Number(value) <= 1,
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
    )
    .transform(Number)
    .default(1),
  PG_BIN_DIR: z.string().optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent',
    })
    .default('warn'),
});

export type SettingName = keyof typeof settings.shape;

/** Settings that can stand in a file, which a variable with `_FILE` behind its name names: as containers and systemd pass secrets on. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'APOTHECA_SECRET',
  'APOTHECA_ADMIN_PASSWORD',
  'APOTHECA_SMTP_URL',
] as const satisfies readonly SettingName[];

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

/** Secrets, what is another one on another machine, and what is of no use without one of them. */
const OWN = [
  'APOTHECA_ROLE',
  'DATABASE_URL',
  'APOTHECA_SECRET',
  'APOTHECA_ADMIN_PASSWORD',
  'APOTHECA_SMTP_URL',
  'APOTHECA_MAIL_FROM',
  'APOTHECA_DATA_DIR',
  'APOTHECA_OIDC_PROVIDERS',
  'PG_BIN_DIR',
];

/** The settings that were given and that a recovered installation needs again. None is a secret. */
export function settingsToKeep(environment: Record<string, string | undefined>): Record<string, string> {
  const names = Object.keys(settings.shape).filter((name) => !OWN.includes(name));
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
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
