import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { limitPool, type StatementLimits } from './connections/limited-waits.ts';
import { preparing } from './connections/prepared-statements.ts';
import { isPastLimit, type SessionKind, sessionSettings } from './connections/session-settings.ts';
import { Pulse } from './connections/watch.ts';
import { DatabaseTimeout } from './errors/postgres-errors.ts';
import type {
  ClinicalRoles,
  Permissions,
  RolePermissions,
  Roles,
  Sessions,
  SignInAttempts,
  Users,
} from './platform-tables/accounts.ts';
import type { AuditEntries, AuditHead } from './platform-tables/audit.ts';
import type { Backups, Databases } from './platform-tables/databases.ts';
import type { FaqQuestions, FaqSections, Faqs } from './platform-tables/faqs.ts';
import type { InstallationMarks } from './platform-tables/installation.ts';
import type { OperationClaims, Operations } from './platform-tables/operations.ts';
import type { Named, Tenants, Timezones } from './platform-tables/tenants.ts';

/** The tables of the control database, in the camelCase that Kysely's plugin maps to their snake_case columns. */
export interface PlatformTables {
  roles: Roles;
  permissions: Permissions;
  rolePermissions: RolePermissions;
  users: Users;
  clinicalRoles: ClinicalRoles;
  sessions: Sessions;
  signInAttempts: SignInAttempts;
  tenantStatuses: Named;
  emrs: Named;
  timezones: Timezones;
  tenants: Tenants;
  databases: Databases;
  operations: Operations;
  operationClaims: OperationClaims;
  backups: Backups;
  faqs: Faqs;
  faqSections: FaqSections;
  faqQuestions: FaqQuestions;
  auditEntries: AuditEntries;
  auditHead: AuditHead;
  installationMarks: InstallationMarks;
}

/** The control database: a pool, one connection of it, or a transaction on one. */
export type Platform = Kysely<PlatformTables>;

/** A transaction of the control database. */
export type Trx = Transaction<PlatformTables>;

const DATE = 1082;
const BIGINT = 20;
// A calendar day stays the text it is: a Date would shift it by the server's time zone.
const types = new pg.TypeOverrides();
types.setTypeParser(DATE, (value) => value);
types.setTypeParser(BIGINT, (value) => value);

/** How a pool is reached and how large it is. */
export interface PlatformOptions {
  url: string;
  /** Most connections of this server process to the control database. */
  maxConnections?: number;
  /** What the pool is for; absent: for calls. */
  kind?: SessionKind;
  /** Absent: statements may take as long as PostgreSQL lets them. */
  limits?: StatementLimits;
}

/**
 * Opens the pool of the control database. No connection is made before the first query.
 * @returns the pool, and Kysely over it
 */
export function openPlatform({ url, maxConnections = 20, kind = 'call', limits }: PlatformOptions): {
  pool: pg.Pool;
  platform: Platform;
} {
  const pool = new pg.Pool({ ...sessionSettings(url, kind), max: maxConnections, types });
  // An idle connection that PostgreSQL closes is no fault of a request: the pool opens another one.
  pool.on('error', () => {});
  // One that is in use, between two queries, tells its next query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  limitPool(pool, limits ?? { pulse: new Pulse() });
  pool.on('connect', (client) => tellTimeouts(client, kind));
  const platform = new Kysely<PlatformTables>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
    // Keys inside JSON are data: names of tables, of fields.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { pool, platform };
}

/** PostgreSQL and this server limit the same waits: what they lead to does not depend on which of the two is first. */
function tellTimeouts(client: pg.PoolClient, kind: SessionKind): void {
  const send = client.query.bind(client);
  const query = (text: string | pg.QueryConfig, values?: unknown[]) =>
    send(text, values).catch((error: unknown) => {
      throw isPastLimit(error, kind) ? new DatabaseTimeout(true, error) : error;
    });
  // As in limited-waits.ts.
  client.query = query as typeof client.query;
}
