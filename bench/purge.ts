import { databaseRoutes } from '@apotheca/contract/databases';
import { purgeRoutes } from '@apotheca/contract/purges';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import { perform } from './calls.ts';
import { deleteDatabase, FLOOR, newName, timeSettled } from './database-operations.ts';
import {
  type FilledTenant,
  findPhysicalName,
  LARGE,
  onDatabase,
  SMALL,
  type Stage,
  withFilledTenant,
} from './filled-tenants.ts';
import type { Installation } from './installation.ts';
import { summarise, takeTurns } from './measurements.ts';
import { compare, type Table } from './tables.ts';

/** A purge of 37 tables with a few rows each beside the bare commands. */
export const benchSmallPurge = (installation: Installation): Promise<Table[]> =>
  benchPurge(installation, SMALL, 20, 'A purge of 37 nearly empty tables');

/** A purge of all tables of 200 MB beside the bare commands. */
export const benchLargePurge = (installation: Installation): Promise<Table[]> =>
  benchPurge(installation, LARGE, 5, 'A purge of 37 tables with 200 MB');

function benchPurge(installation: Installation, size: typeof LARGE, rounds: number, title: string): Promise<Table[]> {
  return withFilledTenant(installation, size, async (stage, tenant) => {
    const deleting = await onDatabase(stage, tenant.physicalName, deletion);
    const { ours, ...floors } = await takeTurns(rounds, {
      ours: () => purgeCopy(stage, tenant),
      TRUNCATE: () => emptyCopy(stage, tenant, `truncate ${TENANT_TABLE_NAMES.join(', ')} restart identity`),
      DELETE: () => emptyCopy(stage, tenant, deleting),
    });
    const isTruncateBetter = summarise(floors.TRUNCATE).median < summarise(floors.DELETE).median;
    const [better, worse] = isTruncateBetter ? (['TRUNCATE', 'DELETE'] as const) : (['DELETE', 'TRUNCATE'] as const);
    const other = `${worse} ${summarise(floors[worse]).median.toFixed(0)} ms`;
    const floor = floors[better];
    return [
      compare(title, [{ name: `beside ${better} (${other})`, unit: ' ms', target: { atMost: 1.5 }, ours, floor }]),
    ];
  });
}

/** Purges a fresh copy through the API. @returns milliseconds from the call to its answer */
async function purgeCopy(stage: Stage, { name: copyFrom }: FilledTenant): Promise<number> {
  const databaseName = newName();
  await perform(stage.access, databaseRoutes.copy, { query: { copyFrom, databaseName } });
  await openOnce(stage, (await findPhysicalName(stage.admin, databaseName)) ?? '');
  const input = { query: { databaseName }, body: TENANT_TABLE_NAMES };
  const figure = await timeSettled(stage, () => perform(stage.access, purgeRoutes.purge, input));
  await deleteDatabase(stage, databaseName);
  return figure;
}

/** Runs a statement in a fresh copy. @returns milliseconds, connecting included: the server connects for each purge too */
async function emptyCopy(stage: Stage, { physicalName }: FilledTenant, statement: string): Promise<number> {
  await stage.admin.query(`create database ${FLOOR} template "${physicalName}"`);
  await openOnce(stage, FLOOR);
  const figure = await timeSettled(stage, () => onDatabase(stage, FLOOR, (client) => client.query(statement)));
  await stage.admin.query(`drop database ${FLOOR}`);
  return figure;
}

/** The first session of a new database fills its caches. */
const openOnce = (stage: Stage, physicalName: string) =>
  onDatabase(stage, physicalName, (client) => client.query(`select count(*) from ${TENANT_TABLE_NAMES[0]}`));

/**
 * DELETE of all tables and a restart of the identities that were used, in one transaction. Foreign keys are checked at the end of a
 * statement, so the tables need no order.
 */
async function deletion(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    "select format('alter sequence %I restart', sequencename) as restart from pg_sequences where schemaname = 'public' and last_value is not null",
  );
  const deletions = TENANT_TABLE_NAMES.map((name, index) => `gone_${index} as (delete from ${name})`);
  return ['begin', `with ${deletions.join(', ')} select`, ...rows.map(({ restart }) => restart), 'commit'].join(';\n');
}
