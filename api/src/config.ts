import { z } from 'zod';

const isPort = (value: string) => /^\d+$/.test(value) && Number(value) <= 65535;
const isPostgresUrl = (value: string) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol);

/** The settings of DECISIONS §2; README lists them. An empty variable counts as absent. */
const settings = z.object({
  PORT: z.string().refine(isPort, 'PORT must be a number from 0 to 65535').transform(Number).default(3000),
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
    // The sign-in form cuts them off, so nobody could sign in.
    .refine((value) => value === value.trim(), 'APOTHECA_ADMIN_USERNAME must have no blanks around it')
    .default('admin'),
  APOTHECA_ADMIN_PASSWORD: z
    .string()
    .min(5, 'APOTHECA_ADMIN_PASSWORD must have 5 to 30 characters')
    .max(30, 'APOTHECA_ADMIN_PASSWORD must have 5 to 30 characters')
    .optional(),
  APOTHECA_DEMO: z.enum(['on', 'off'], { error: 'APOTHECA_DEMO must be on or off' }).optional(),
  APOTHECA_ANALYTICS_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/, 'APOTHECA_ANALYTICS_ID must have letters, digits and dashes only')
    .optional(),
  APOTHECA_MAX_CONNECTIONS: z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && Number(value) >= 20 && Number(value) <= 1000,
      'APOTHECA_MAX_CONNECTIONS must be a number from 20 to 1000',
    )
    .transform(Number)
    .default(40),
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
  /** Folder of pg_dump and pg_restore; absent: they are looked for. */
  pgBinDir: string | undefined;
  logLevel: string;
}

/** A setting or circumstance that keeps the server from starting; its message is one clear line for the terminal. */
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
    pgBinDir: values.PG_BIN_DIR,
    logLevel: values.LOG_LEVEL,
  };
}
