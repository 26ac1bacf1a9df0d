import {
  type Database,
  type DatabaseDetails,
  type DeletionPlan,
  databaseDetails,
  database as databaseSchema,
  deletionPlan,
} from '@apotheca/contract/databases';

let made = 0;

/** A tenant's database as the list gives it, checked against the contract. */
export function makeDatabase(fields: Partial<Database> = {}): Database {
  made += 1;
  return databaseSchema.parse({
    id: `00000000-0000-4000-9000-${String(made).padStart(12, '0')}`,
    databaseName: `TENANT${made}`,
    tenantCode: `TENANT${made}`,
    customerCode: `Customer ${made}`,
    copiedFrom: null,
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    ...fields,
  });
}

/** A database that no tenant owns. */
export const makeClone = (fields: Partial<Database> = {}): Database =>
  makeDatabase({ tenantCode: null, customerCode: null, ...fields });

/** What is known of one database. */
export const makeDetails = (fields: Partial<DatabaseDetails> = {}): DatabaseDetails =>
  databaseDetails.parse({
    ...makeDatabase(),
    physicalName: 'db_1_tenant',
    roleName: 'role_1',
    sizeBytes: 12 * 1024 ** 2,
    schemaVersion: 7,
    connections: 3,
    tables: [],
    ...fields,
  });

/** What deleting a database would destroy. */
export const makePlan = (fields: Partial<DeletionPlan> = {}): DeletionPlan =>
  deletionPlan.parse({
    databaseName: 'TRAINING',
    sizeBytes: 9 * 1024 ** 2,
    rows: 12_345,
    connections: 2,
    digest: 'digest-1',
    ...fields,
  });
