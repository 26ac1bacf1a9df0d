import { isAbsolute } from 'node:path';
import { PASSWORD_MAX, PASSWORD_MIN } from '@apotheca/contract/auth';
import { names, USER_LIMITS } from '@apotheca/contract/user-form';
import { z } from 'zod';
import { isAddressRange, LOOPBACK } from './address-range.ts';
import { NO_STORES, readStorePlaces, type StorePlace } from './backup-stores.ts';
import { isCommonPassword } from './common-passwords.ts';
import { readConnectionString } from './db/connections/connection-string.ts';
import { isMailFrom, readMailServer } from './mail-settings.ts';
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

/** A user name as forms store it and a sign-in sends it: another one would sign in nobody. */
const userName = (name: string) =>
  z
    .string()
    .refine(
      (value) => names.userName.safeParse(value).data === value,
      `${name} must be at most ${USER_LIMITS.userName} printable characters, with single blanks and none around them`,
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
  APOTHECA_ADMIN_USERNAME: userName('APOTHECA_ADMIN_USERNAME').default('admin'),
  APOTHECA_ADMIN_PASSWORD: z
    .string()
    .min(5, 'APOTHECA_ADMIN_PASSWORD must have APOTHECA_PASSWORD_MIN to 30 characters')
    .max(30, 'APOTHECA_ADMIN_PASSWORD must have APOTHECA_PASSWORD_MIN to 30 characters')
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
  APOTHECA_LOCAL_SIGN_IN: userName('APOTHECA_LOCAL_SIGN_IN').default('on'),
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

/** What tells of an installation besides its settings: what libpq, its stores' library and the exporter of traces read. */
const OF_AN_INSTALLATION = /^(DATABASE_URL|APOTHECA_|PG[A-Z]|AWS_|OTEL_)/;

/**
 * An environment without what would lead a server to the installation of the shell that it is started in: for measurements and examples,
 * which have one of their own. The folder of PostgreSQL's programs stays.
 */
export function withoutInstallation(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOfOne = (name: string) => OF_AN_INSTALLATION.test(name) || (name in settings.shape && name !== 'PG_BIN_DIR');
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfOne(name)));
}
