import { z } from 'zod';
import { createdBy, deletedBy, updatedBy } from './caller-stamp.ts';
import { byId, changedRecord, count, tooLong } from './fields.ts';
import { route } from './route.ts';
import { id, optionalText, requiredText, utcMoment } from './text.ts';
import { sentVersion, version } from './version.ts';

export const DATABASE_SERVER_LIMITS = {
  name: 50,
  host: 255,
  region: 50,
  userName: 63,
  password: 200,
  caCertificate: 20_000,
  capacity: 100_000,
} as const;
const LIMITS = DATABASE_SERVER_LIMITS;

/** `draining`: no new tenants are placed there. `retired`: no database lives there, and none is placed there. */
export const DATABASE_SERVER_STATES = ['active', 'draining', 'retired'] as const;
export type DatabaseServerState = (typeof DATABASE_SERVER_STATES)[number];

/** `require`: encrypted, whoever answers. `verify-full`: the server must show a certificate of the given CA for its own name. */
export const DATABASE_SERVER_TLS = ['disable', 'require', 'verify-full'] as const;
export type DatabaseServerTls = (typeof DATABASE_SERVER_TLS)[number];

/** What is checked of a server before it is taken, and whenever somebody asks. */
export const CHECK_POINTS = ['reached', 'version', 'rights', 'icu', 'clock', 'cluster', 'disk'] as const;
export type CheckPoint = (typeof CHECK_POINTS)[number];

/** Most seconds between a server's clock and the control database's. */
export const CLOCK_LIMIT = 30;

const capacity = z
  .int({ error: 'Capacity must be a whole number' })
  .min(1, 'Capacity must be at least 1')
  .max(LIMITS.capacity, `Capacity must be at most ${LIMITS.capacity}`)
  .nullish()
  .transform((value) => value ?? null);

const port = z
  .int({ error: 'Port must be a whole number' })
  .min(1, 'Port must be at least 1')
  .max(65_535, 'Port must be at most 65535');

const described = {
  name: requiredText(LIMITS.name, 'Name is required', tooLong('Name', LIMITS.name)),
  region: optionalText(LIMITS.region, tooLong('Region', LIMITS.region)),
  /** null: any number of tenants. */
  capacity,
};

const reached = {
  host: requiredText(LIMITS.host, 'Host is required', tooLong('Host', LIMITS.host)).refine(
    (value) => /^[A-Za-z0-9._:-]+$/.test(value),
    'Host must be a name or an address, without a port',
  ),
  port: port.default(5432),
  userName: requiredText(LIMITS.userName, 'User Name is required', tooLong('User Name', LIMITS.userName)),
  tls: z.enum(DATABASE_SERVER_TLS, { error: 'TLS is required' }).default('disable'),
  caCertificate: optionalText(LIMITS.caCertificate, tooLong('CA Certificate', LIMITS.caCertificate)).refine(
    (value) => value === '' || /^-----BEGIN CERTIFICATE-----/.test(value),
    'CA Certificate must be in PEM format',
  ),
};

const password = requiredText(LIMITS.password, 'Password is required', tooLong('Password', LIMITS.password));
/** Absent or empty: the one that is stored stays. */
const newPassword = optionalText(LIMITS.password, tooLong('Password', LIMITS.password));

export const NO_CA = 'CA Certificate is required to verify the server';
const caWhereVerified = z.superRefine<{ tls: DatabaseServerTls; caCertificate: string }>(
  ({ tls, caCertificate }, context) => {
    if (tls !== 'verify-full' || caCertificate !== '') return;
    context.addIssue({ code: 'custom', path: ['caCertificate'], message: NO_CA });
  },
);

/** Without the defaults of a new server, which would overwrite what an edit leaves out. */
const changedWay = z.object({
  ...reached,
  port,
  tls: z.enum(DATABASE_SERVER_TLS, { error: 'TLS is required' }),
  caCertificate: reached.caCertificate.optional(),
  password: newPassword,
});

const newServer = z.object({ ...described, ...reached, password });
const changedServer = z.object({ ...described, ...reached, password: newPassword });

/** The form of a new database server. */
export const databaseServerForm = newServer.check(caWhereVerified);
export type DatabaseServerForm = z.output<typeof newServer>;
/** The form of one that is there. */
export const editDatabaseServerForm = changedServer.check(caWhereVerified);
/** The home server has no address of its own: DATABASE_URL names it. */
export const editHomeServerForm = z.object(described);

/** What can be changed: of the home server nothing of how it is reached. */
export type DatabaseServerEdit = Pick<DatabaseServerForm, 'name'> & Partial<DatabaseServerForm>;

const checkedPoint = z.object({
  point: z.enum(CHECK_POINTS),
  /** null: it cannot be found out, which is no reason to refuse the server. */
  passed: z.boolean().nullable(),
  detail: z.string(),
});
export type CheckedPoint = z.infer<typeof checkedPoint>;

export const databaseServer = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it is the control database's own server. */
  isHome: z.boolean(),
  host: z.string(),
  port: z.number().int(),
  region: z.string(),
  capacity: z.number().int().nullable(),
  state: z.enum(DATABASE_SERVER_STATES),
  tls: z.enum(DATABASE_SERVER_TLS),
  caCertificate: z.string(),
  userName: z.string(),
  /** Tenants that live there or are on the way there, and all databases: with clones, and deleted ones that are kept. */
  tenants: count,
  databases: count,
  /** null: not known yet. */
  isAway: z.boolean().nullable(),
  awaySinceUtc: utcMoment.nullable(),
  problem: z.string(),
  checkedOnUtc: utcMoment.nullable(),
  sessions: count.nullable(),
  maxSessions: count.nullable(),
  standbys: count.nullable(),
  /** How far the slowest standby is behind; null: there is none, or it does not say. */
  lagSeconds: z.number().nonnegative().nullable(),
  version,
});
export type DatabaseServer = z.infer<typeof databaseServer>;

export const databaseServerRoutes = {
  list: route({
    feature: 'databaseservers',
    summary: "The PostgreSQL servers that tenants' databases live on, with their fill and health",
    base: 'api',
    method: 'GET',
    path: '/databaseservers/get',
    permission: 'databaseservers.read',
    result: z.array(databaseServer),
  }),
  create: route({
    feature: 'databaseservers',
    summary: 'Take a PostgreSQL server into use, once all that is checked of it passes',
    base: 'api',
    method: 'POST',
    path: '/databaseservers/create',
    permission: 'databaseservers.write',
    keyed: true,
    fresh: true,
    body: newServer.extend(createdBy).check(caWhereVerified),
    result: changedRecord,
  }),
  edit: route({
    feature: 'databaseservers',
    summary:
      'Change a database server; one that is reached in another way is checked first, and must be the same cluster',
    base: 'api',
    method: 'PUT',
    path: '/databaseservers/edit',
    permission: 'databaseservers.write',
    fresh: true,
    // What it leaves out stays; of how the home server is reached there is nothing to change.
    body: z.object({
      ...described,
      region: described.region.optional(),
      capacity: described.capacity.optional(),
      ...changedWay.partial().shape,
      id: id(),
      ...sentVersion,
      ...updatedBy,
    }),
    result: changedRecord,
  }),
  check: route({
    feature: 'databaseservers',
    summary: 'Check a database server now, point by point',
    base: 'api',
    method: 'POST',
    path: '/databaseservers/check',
    permission: 'databaseservers.write',
    body: byId,
    result: z.object({ id: z.string(), points: z.array(checkedPoint) }),
  }),
  drain: route({
    feature: 'databaseservers',
    summary: 'Place no new tenants on a database server; those that live there stay',
    base: 'api',
    method: 'POST',
    path: '/databaseservers/drain',
    permission: 'databaseservers.write',
    body: byId.extend(updatedBy),
    result: z.object({ id: z.string(), databases: count }),
  }),
  retire: route({
    feature: 'databaseservers',
    summary: 'Take a database server out of use on which no database lives',
    base: 'api',
    method: 'POST',
    path: '/databaseservers/retire',
    permission: 'databaseservers.write',
    body: byId.extend(updatedBy),
    result: changedRecord,
  }),
  activate: route({
    feature: 'databaseservers',
    summary: 'Place new tenants on a database server again',
    base: 'api',
    method: 'POST',
    path: '/databaseservers/activate',
    permission: 'databaseservers.write',
    body: byId.extend(updatedBy),
    result: changedRecord,
  }),
  delete: route({
    feature: 'databaseservers',
    summary: 'Delete the record of a database server on which no database lives',
    base: 'api',
    method: 'DELETE',
    path: '/databaseservers/delete',
    permission: 'databaseservers.write',
    query: byId.extend(deletedBy),
    result: z.null(),
  }),
};
