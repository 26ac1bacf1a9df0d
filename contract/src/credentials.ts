import { z } from 'zod';
import { updatedBy } from './caller-stamp.ts';
import { byId, count, tooLong } from './fields.ts';
import { route } from './route.ts';
import { DATABASE_ACCESS, TENANT_STATES } from './tenant-access.ts';
import { id, requiredText, utcMoment } from './text.ts';

/** What a login may do with the rows of a tenant's database: read and write them, or only read them. */
export const LOGIN_ACCESS = ['write', 'read'] as const;
export type LoginAccess = (typeof LOGIN_ACCESS)[number];

/** How many minutes the login before a rotation stays valid: at most, and if nothing else is said. 0: it ends at once. */
export const LOGIN_OVERLAP_MINUTES = { max: 10_080, default: 60 } as const;

/** How many logins of one kind a tenant's database has at most: the current one, and those that are still valid after rotations. */
export const LOGIN_LIMIT = 20;

/** Most connections that each login of a tenant may have. */
export const CONNECTION_LIMIT_MAX = 1_000;

/** The longest limit of a statement, in seconds: a day. */
export const STATEMENT_TIMEOUT_MAX = 86_400;

const access = z.enum(LOGIN_ACCESS, { error: `access must be one of: ${LOGIN_ACCESS.join(', ')}` }).default('write');

/** A login of a tenant's database, without its password. */
export const databaseLogin = z.object({
  id: z.string(),
  access: z.enum(LOGIN_ACCESS),
  /** The role to log in as. */
  role: z.string(),
  createdOnUtc: utcMoment,
  /** When it ends; null: it is the current one. */
  validUntilUtc: utcMoment.nullable(),
  /** Its sessions right now. */
  sessions: count,
});
export type DatabaseLogin = z.infer<typeof databaseLogin>;

/** Where PostgreSQL is, in the words of libpq's connection parameters. */
const place = {
  host: z.string(),
  port: z.number().int(),
  database: z.string(),
  sslmode: z.string(),
};

/** How a tenant's database is reached, without any password. */
export const tenantConnection = z.object({
  id: z.string(),
  ...place,
  /** Most connections of each login. */
  connectionLimit: z.number().int(),
  /** The same as set for this tenant; null: the server's setting. */
  ownConnectionLimit: z.number().int().nullable(),
  /** After how many seconds PostgreSQL cancels a statement, unless a session sets something else; null: never. */
  statementTimeoutSeconds: z.number().int().nullable(),
  /** Current ones first; none until somebody or a program has asked for one. */
  logins: z.array(databaseLogin),
});
export type TenantConnection = z.infer<typeof tenantConnection>;

const credentials = z.object({
  ...place,
  access: z.enum(LOGIN_ACCESS),
  role: z.string(),
  password: z.string(),
  /** All of it as a URI: https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING */
  connectionString: z.string(),
});
export type TenantCredentials = z.infer<typeof credentials>;

/** What a program needs to connect to a tenant's database. */
export const resolvedTenant = z.object({
  tenantId: z.string(),
  code: z.string(),
  subdomain: z.string(),
  isActive: z.boolean(),
  /** How the tenant stands, and what its programs may do. */
  state: z.enum(TENANT_STATES),
  availability: z.enum(DATABASE_ACCESS),
  ...place,
  access: z.enum(LOGIN_ACCESS),
  role: z.string(),
  /** Names the password: it changes with it. */
  passwordReference: z.string(),
  /** Only for an API key with databases.connect; else null. */
  password: z.string().nullable(),
  connectionLimit: z.number().int(),
});
export type ResolvedTenant = z.infer<typeof resolvedTenant>;

const one = 'Name the tenant by code or by subdomain';
const filter = (label: string, max: number) => requiredText(max, `${label} is empty`, tooLong(label, max)).optional();

const whole = (label: string, max: number) =>
  z
    .int({ error: `${label} must be a whole number` })
    .min(1, `${label} must be at least 1`)
    .max(max, `${label} must be at most ${max}`)
    .nullable();

/** The limits of a tenant's logins; null: the server's setting. */
export const connectionLimitsForm = z.object({
  connectionLimit: whole('Connection limit', CONNECTION_LIMIT_MAX),
  statementTimeoutSeconds: whole('Statement timeout', STATEMENT_TIMEOUT_MAX),
});
export type ConnectionLimits = z.output<typeof connectionLimitsForm>;

export const credentialRoutes = {
  connection: route({
    feature: 'tenants',
    summary: "How programs reach a tenant's database: where, as which roles, with which limits; without passwords",
    base: 'api',
    method: 'GET',
    path: '/tenant/connection',
    permission: 'databases.connect',
    query: byId,
    result: tenantConnection,
  }),
  reveal: route({
    feature: 'tenants',
    summary: "Reveal a tenant's current login with its password; it is audited",
    base: 'api',
    method: 'POST',
    path: '/tenant/revealcredentials',
    permission: 'databases.connect',
    fresh: true,
    query: byId.extend({ access, ...updatedBy }),
    result: credentials,
    secret: true,
  }),
  rotate: route({
    feature: 'tenants',
    summary: 'Give a tenant a new login; the old one stays valid for a chosen time, then its sessions are ended',
    base: 'api',
    method: 'POST',
    path: '/tenant/rotatecredentials',
    permission: 'databases.connect',
    keyed: true,
    fresh: true,
    body: z.object({
      id: id(),
      access,
      /** The login that is to be replaced, as it was seen; absent: the current one, whichever that is. */
      loginId: id().optional(),
      overlapMinutes: z
        .int({ error: 'Overlap must be a whole number of minutes' })
        .min(0, 'Overlap must be at least 0 minutes')
        .max(LOGIN_OVERLAP_MINUTES.max, `Overlap must be at most ${LOGIN_OVERLAP_MINUTES.max} minutes`)
        .default(LOGIN_OVERLAP_MINUTES.default),
      ...updatedBy,
    }),
    result: tenantConnection,
  }),
  limit: route({
    feature: 'tenants',
    summary: "Limit the connections and the statements of a tenant's logins",
    base: 'api',
    method: 'PUT',
    path: '/tenant/connectionlimits',
    permission: 'databases.connect',
    // What is not sent stays as it is.
    body: connectionLimitsForm.partial().extend({ id: id(), ...updatedBy }),
    result: tenantConnection,
  }),
  resolve: route({
    feature: 'tenants',
    summary:
      'For programs: where and as whom to connect to the database of a tenant, which is named by code or by subdomain; with the password for an API key with databases.connect',
    base: 'api',
    method: 'GET',
    path: '/tenant/resolve',
    permission: 'tenants.read',
    query: z
      .object({ code: filter('code', 100), subdomain: filter('subdomain', 63), access })
      .refine(({ code, subdomain }) => (code === undefined) !== (subdomain === undefined), {
        error: one,
        path: ['code'],
      }),
    result: resolvedTenant,
    secret: true,
    tagged: true,
  }),
};
