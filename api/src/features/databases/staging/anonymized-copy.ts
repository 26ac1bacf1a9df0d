import type { AnonymizedCloneReport } from '@apotheca/contract/anonymized-clones';
import type pg from 'pg';
import { createDatabase } from '../../../db/cluster/cluster.ts';
import { withoutSessions } from '../../../db/cluster/database-sessions.ts';
import { dropOwned } from '../../../db/cluster/owned-objects.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { backendPid, cancellable } from '../../../operations/cancellable.ts';
import type { OperationStep, Run } from '../../../operations/operation-kind.ts';
import { counted, inWords, rowsInWords } from '../../../wording.ts';
import { findOldValues, makeNewValues, replaceAll } from '../anonymization/anonymization-steps.ts';
import { readTarget } from '../anonymization/anonymization-target.ts';
import { isPlatformObject } from '../backups/archive/archive-objects.ts';
import { dropWithRole } from '../database-dropping.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { BEGIN } from '../tenant-database/tenant-change.ts';
import {
  type CatalogueObject,
  dropLargeObjects,
  dropObject,
  forgetAppliedOperations,
  listObjects,
  replaceComments,
  rewriteDatabase,
} from './left-out.repository.ts';

/** The steps of every operation that makes an anonymized copy. */
export const ANONYMIZED_COPY_STEPS: readonly OperationStep[] = [
  { name: 'Waiting for sessions to end', cancellable: true },
  { name: 'Copying', cancellable: true },
  { name: 'Leaving out what has no rule', cancellable: true },
  { name: 'Replacing', cancellable: true },
  { name: 'Looking for old values', cancellable: true },
  { name: 'Rewriting files', cancellable: true },
  { name: 'Making it available', cancellable: false },
];
export const OPENING = ANONYMIZED_COPY_STEPS.length - 1;

type LeftOut = AnonymizedCloneReport['leftOut'];

/**
 * Copies a database and anonymizes the copy. The copy has no role, and nobody but the administrator has the right to connect to it: not
 * before the caller makes it available, which nothing does after a kill (decision 042). A later run begins anew.
 * @param copy its registry row, in state 'creating'
 */
export async function buildAnonymizedCopy(
  run: Run,
  copy: DatabaseRow,
  source: DatabaseRow,
): Promise<Omit<AnonymizedCloneReport, 'id' | 'databaseName'>> {
  const { context, cluster } = run;
  const { physicalName } = copy;
  await run.step(0);
  await cancellable(run, await backendPid(run), () =>
    withoutSessions(cluster, source.physicalName, async () => {
      await run.step(1);
      await dropWithRole(run, copy);
      await createDatabase(cluster, { physicalName, roleName: null, template: source.physicalName });
    }),
  );
  await run.step(2);
  return context.tenants.with(
    copy,
    (client) => cancellable(run, processIdOf(client), () => anonymizeCopy(run, client, source)),
    { unlimited: true },
  );
}

async function anonymizeCopy(run: Run, client: pg.Client, source: DatabaseRow) {
  const leftOut = await leaveOut(client, source);
  await client.query(BEGIN);
  const target = await readTarget(client);
  // Only now: a comment that is no rule is a reason to refuse.
  await replaceComments(client, target.all);
  await makeNewValues(client, target);
  const progress = (fraction: number) => run.progress(fraction);
  await run.step(3);
  const changed = await replaceAll(client, target, progress);
  await run.step(4);
  const scan = await findOldValues(client, target, progress);
  await client.query('commit');
  await run.step(5);
  await rewriteDatabase(client);
  return { copiedFrom: source.name, ...changed, scan, leftOut };
}

/** Drops whatever is not of the platform's own schema: no rule says what it holds, and its triggers would see old values. */
async function leaveOut(client: pg.Client, source: DatabaseRow): Promise<LeftOut> {
  const additional = (await listObjects(client)).filter((object) => !isOfPlatform(object));
  for (const object of additional) await dropObject(client, object);
  const largeObjects = await dropLargeObjects(client);
  // Its role could not be dropped while it has rights in the copy.
  await dropOwned(client, source.roleName, source.physicalName);
  await forgetAppliedOperations(client);
  const leftOut = additional.map(({ kind, identity }) => ({ kind, name: identity }));
  return largeObjects > 0 ? [...leftOut, { kind: 'large objects', name: String(largeObjects) }] : leftOut;
}

/** Whether an object is one of the platform's own schema: pg_dump names it without its schema. */
const isOfPlatform = ({ kind, schema, identity }: CatalogueObject): boolean =>
  schema !== null && isPlatformObject({ kind: kind.toUpperCase(), schema, name: identity.slice(`${schema}.`.length) });

/** How many objects a message names. */
const NAMED = 5;

/** What was done, for the message. */
export function describeAnonymizedCopy({ rows, leftOut }: Pick<AnonymizedCloneReport, 'rows' | 'leftOut'>): string {
  const done = `${rowsInWords(rows)} changed, no old value found.`;
  if (leftOut.length === 0) return done;
  const named = leftOut.slice(0, NAMED).map(({ kind, name }) => `${kind} ${name}`);
  const more = leftOut.length > NAMED ? [counted(leftOut.length - NAMED, 'other object')] : [];
  return `${done} Left out: ${inWords([...named, ...more])}.`;
}
