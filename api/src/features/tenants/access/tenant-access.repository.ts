import type { DatabaseAccess, ExpiryStep } from '@apotheca/contract/tenant-access';
import { sql } from 'kysely';
import { isOnAwayServer } from '../../../db/away-servers.ts';
import { hasBeenSince } from '../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../db/platform.ts';

/** What decides what the programs of a tenant may do, and what they may do now. */
export interface AccessRow {
  databaseId: string;
  tenantId: string;
  code: string;
  isActive: boolean;
  subscriptionStartDate: string;
  subscriptionEndDate: string;
  postponedTo: string | null;
  access: DatabaseAccess;
}

const rows = (platform: Platform) =>
  platform
    .selectFrom('databases as d')
    .innerJoin('tenants as t', 't.id', 'd.tenantId')
    .select([
      'd.id as databaseId',
      't.id as tenantId',
      't.code',
      't.isActive',
      't.subscriptionStartDate',
      't.subscriptionEndDate',
      't.postponedTo',
      'd.access',
    ])
    .where('d.state', '=', 'ready');

/** With what decides whether it can be followed now. */
export interface PresentAccess extends AccessRow {
  isServerAway: boolean;
  /** The operation that opens or closes its database, or is about to; null: there is none. */
  changedBy: string | null;
}

/** The tenant of a ready database, whether its server is noted as away, and what changes it; undefined where it belongs to none. */
export function findAccess(platform: Platform, databaseId: string): Promise<PresentAccess | undefined> {
  return rows(platform)
    .select([
      isOnAwayServer('d.id').as('isServerAway'),
      sql<string | null>`(
        select o.id from operation_claims c join operations o on o.id = c.operation_id
        where c.database_id = d.id and o.kind = 'change-access' and o.state in ('queued', 'running')
      )`.as('changedBy'),
    ])
    .where('d.id', '=', databaseId)
    .executeTakeFirst();
}

/** The tenant of a ready database, whose record nobody changes until the transaction ends; undefined where it belongs to none. */
export function lockAccess(trx: Trx, databaseId: string): Promise<AccessRow | undefined> {
  return rows(trx).where('d.id', '=', databaseId).forShare('t').executeTakeFirst();
}

/**
 * All tenants whose database no operation works on, and whose server is not away.
 * @param since those are left out whose access could not be changed since then
 */
export function listAccess(platform: Platform, { since, now }: { since: Date; now: Date }): Promise<AccessRow[]> {
  return rows(platform)
    .where(sql<boolean>`not exists (select from operation_claims c where c.database_id = d.id)`)
    .where(sql<boolean>`not ${isOnAwayServer('d.id')}`)
    .where(
      sql<boolean>`not exists (
        select from operations o
        where o.database_id = d.id and o.kind = 'change-access' and o.state = 'failed'
          and ${hasBeenSince('o.created_at', since, now)}
      )`,
    )
    .execute();
}

/** Notes that a step towards the end of a subscription is announced. @returns whether it was not yet */
export async function noteStep(trx: Trx, tenantId: string, endsOn: string, step: ExpiryStep): Promise<boolean> {
  const noted = await trx
    .insertInto('expiryNotices')
    .values({ tenantId, endsOn, step })
    .onConflict((conflict) => conflict.doNothing())
    .returning('step')
    .executeTakeFirst();
  return noted !== undefined;
}

/**
 * The steps towards the present ends of tenants that have been announced, as texts of tenant, end and step. Those of earlier ends are kept, as an
 * end may come back, but there are ever more of them.
 */
export async function listNotedSteps(platform: Platform): Promise<ReadonlySet<string>> {
  const noted = await platform
    .selectFrom('tenants as t')
    .innerJoin('expiryNotices as n', 'n.tenantId', 't.id')
    .where(sql<boolean>`n.ends_on in (t.subscription_end_date, t.postponed_to)`)
    .select(['n.tenantId', 'n.endsOn', 'n.step'])
    .execute();
  return new Set(noted.map(({ tenantId, endsOn, step }) => `${tenantId} ${endsOn} ${step}`));
}

/** All tenants with a ready database. */
export function listTenantsWithDatabase(platform: Platform): Promise<AccessRow[]> {
  return rows(platform).execute();
}
