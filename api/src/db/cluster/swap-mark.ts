import { sql } from 'kysely';
import { identifier, literal } from './names.ts';
import { ownershipMark } from './ownership-mark.ts';
import type { ClusterSession } from './session.ts';

/** How the comment on a database begins that has been swapped. A kill may leave it there for good. @param mark of the installation */
export const swappedMark = (mark: string): string => `${mark}, swapped by operation `;

const markOf = async (cluster: ClusterSession, operationId: string): Promise<string> =>
  `${swappedMark(await ownershipMark(cluster))}${operationId}`;

const comment = (cluster: ClusterSession, physicalName: string, mark: string) =>
  sql`comment on database ${identifier(physicalName)} is ${literal(mark)}`.execute(cluster);

/** Notes at a database that an operation has swapped it with another one, in the transaction that does so. */
export async function markAsSwapped(cluster: ClusterSession, physicalName: string, operationId: string): Promise<void> {
  await comment(cluster, physicalName, await markOf(cluster, operationId));
}

/** Whether an operation has swapped a database with another one, and the registry does not know yet. */
export async function isMarkedAsSwapped(
  cluster: ClusterSession,
  physicalName: string,
  operationId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from pg_database
    where datname = ${physicalName} and shobj_description(oid, 'pg_database') = ${await markOf(cluster, operationId)}`.execute(
    cluster,
  );
  return rows.length > 0;
}

/** Removes the note. */
export async function unmarkSwapped(cluster: ClusterSession, physicalName: string): Promise<void> {
  await comment(cluster, physicalName, await ownershipMark(cluster));
}
