import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
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
import { preparing } from './prepared-statements.ts';

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
  /** Milliseconds after which a query that PostgreSQL does not answer fails; absent: never. */
  queryTimeout?: number;
}

/**
 * Opens the pool of the control database. No connection is made before the first query.
 * @returns the pool, and Kysely over it
 */
export function openPlatform({ url, maxConnections = 20, queryTimeout }: PlatformOptions): {
  pool: pg.Pool;
  platform: Platform;
} {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    application_name: 'apotheca',
    // Moments in JSON that PostgreSQL builds are in UTC, whatever the server's own zone is.
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeout,
  });
  // An idle connection that PostgreSQL closes is no fault of a request: the pool opens another one.
  pool.on('error', () => {});
  // One that is in use, between two queries, tells its next query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const platform = new Kysely<PlatformTables>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
    // Keys inside JSON are data: names of tables, of fields.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { pool, platform };
}
