import { z } from 'zod';
import { isAddressRange, LOOPBACK } from './address-range.ts';
import { isCommonPassword } from './common-passwords.ts';

const isPostgresUrl = (value: string) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);

const wholeNumber = (name: string, min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
      `${name} must be a number from ${min} to ${max}`,
    )
    .transform(Number);

/** The settings of DECISIONS §2; README lists them. An empty variable counts as absent. */
const settings = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .refine(isPostgresUrl, 'DATABASE_URL must look like postgresql://user:password@host:5432/database')
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
  APOTHECA_DEMO: z.enum(['on', 'off'], { error: 'APOTHECA_DEMO must be on or off' }).optional(),
  APOTHECA_ANALYTICS_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/, 'APOTHECA_ANALYTICS_ID must have letters, digits and dashes only')
    .optional(),
  APOTHECA_MAX_CONNECTIONS: wholeNumber('APOTHECA_MAX_CONNECTIONS', 20, 1000).default(40),
  APOTHECA_DRAIN_SECONDS: wholeNumber('APOTHECA_DRAIN_SECONDS', 0, 300).default(5),
  APOTHECA_SESSION_DAYS: wholeNumber('APOTHECA_SESSION_DAYS', 1, 3_650).default(90),
  APOTHECA_HOSTS: z
    .string()
    .regex(/^[^\s:/,]+(,[^\s:/,]+)*$/, 'APOTHECA_HOSTS must be names without ports, with commas between')
    .transform((value) => value.split(','))
    .default([]),
  APOTHECA_METRICS_FROM: z
    .string()
    .transform((value) => value.split(','))
    .refine(
      (entries) => entries.every(isAddressRange),
      'APOTHECA_METRICS_FROM must be addresses or ranges such as 10.0.0.0/8, with commas between',
    )
    .default([...LOOPBACK]),
  APOTHECA_TENANT_CONNECTIONS: wholeNumber('APOTHECA_TENANT_CONNECTIONS', 5, 1000).default(20),
  PG_BIN_DIR: z.string().optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent',
    })
    .default('warn'),
});

export interface Config {
  port: number;
  host: string;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  dataDir: string;
  secret: string | undefined;
  adminUsername: string;
  adminPassword: string | undefined;
  demo: boolean;
  analyticsId: string | undefined;
  /** Most connections of this server process to PostgreSQL. */
  maxConnections: number;
  /** Most connections of a tenant's role to PostgreSQL. */
  tenantConnections: number;
  /** Seconds between a signal to stop and the stop, in which balancers that poll /readyz move to other servers. */
  drainSeconds: number;
  /** Days for which ended sessions and attempts to sign in are kept. */
  sessionDays: number;
  /** Host names that the server answers to; none: any. */
  hosts: readonly string[];
  /** Addresses and ranges that may read /metrics and /docs. */
  operatorAddresses: readonly string[];
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
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new StartError(parsed.error.issues.map((issue) => issue.message).join('; '));
  const values = parsed.data;
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    dataDir: values.APOTHECA_DATA_DIR,
    secret: values.APOTHECA_SECRET,
    adminUsername: values.APOTHECA_ADMIN_USERNAME,
    adminPassword: values.APOTHECA_ADMIN_PASSWORD,
    demo: values.APOTHECA_DEMO ? values.APOTHECA_DEMO === 'on' : !values.DATABASE_URL,
    analyticsId: values.APOTHECA_ANALYTICS_ID,
    maxConnections: values.APOTHECA_MAX_CONNECTIONS,
    tenantConnections: values.APOTHECA_TENANT_CONNECTIONS,
    drainSeconds: values.APOTHECA_DRAIN_SECONDS,
    sessionDays: values.APOTHECA_SESSION_DAYS,
    hosts: values.APOTHECA_HOSTS,
    operatorAddresses: values.APOTHECA_METRICS_FROM,
    pgBinDir: values.PG_BIN_DIR,
    logLevel: values.LOG_LEVEL,
  };
}
