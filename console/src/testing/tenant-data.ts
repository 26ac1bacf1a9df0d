import {
  type AnonymizationPlan,
  type AnonymizationReport,
  anonymizationPlan,
  anonymizationReport,
} from '@apotheca/contract/anonymization';
import { type Purge, type PurgePlan, purgePlan, purge as purgeSchema } from '@apotheca/contract/purges';

const plan = { databaseName: 'CEDARVA', rows: 30, connections: 2, newestBackupOnUtc: null, digest: 'digest-1' };

/** The plan of a purge, with 10 rows in each table. */
export const makePurgePlan = (names: readonly string[], fields: Partial<PurgePlan> = {}): PurgePlan =>
  purgePlan.parse({
    ...plan,
    rows: names.length * 10,
    tables: names.map((name) => ({ name, rows: 10 })),
    invalidTables: [],
    tablesNotDeleted: [],
    ...fields,
  });

/** A purge of two tables that can still be put back. */
export const makePurge = (fields: Partial<Purge> = {}): Purge =>
  purgeSchema.parse({
    operationId: '00000000-0000-4000-a000-00000000aaaa',
    purgedOnUtc: '2026-03-04T09:30:00.000Z',
    keptUntilUtc: '2026-03-11T09:30:00.000Z',
    tables: [
      { name: 'athena_orders', rows: 1204, putBack: false },
      { name: 'shots', rows: 30, putBack: false },
    ],
    ...fields,
  });

const columns = [
  { table: 'patients', column: 'first_name', kind: 'Names' },
  { table: 'patients', column: 'last_name', kind: 'Names' },
  { table: 'patients', column: 'phone', kind: 'Telephone numbers' },
];

/** The plan of an anonymization. */
export const makeAnonymizationPlan = (fields: Partial<AnonymizationPlan> = {}): AnonymizationPlan =>
  anonymizationPlan.parse({ ...plan, columns, ...fields });

/** The report of an anonymization. */
export const makeReport = (fields: Partial<AnonymizationReport> = {}): AnonymizationReport =>
  anonymizationReport.parse({
    databaseName: 'CEDARVA',
    columns: columns.map((column) => ({ ...column, rows: 1500 })),
    rows: 4500,
    scan: { values: 9000, columns: 188, found: 0 },
    ...fields,
  });
