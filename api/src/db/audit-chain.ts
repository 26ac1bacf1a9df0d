import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ValueFor } from './compiled-statements.ts';
import type { AuditEntries } from './tables/audit-tables.ts';

/** The newest entry. */
export interface AuditHead {
  lastId: string;
  lastHash: Buffer;
}

/** An entry, and the one that it comes after. */
export interface NextEntry {
  head: AuditHead;
  entry: Selectable<AuditEntries>;
}

/**
 * CTEs of a statement that appends an entry and moves the head to it. `head` has a row if it did: it does not where the head is
 * another one, or against the condition.
 */
export const appending = (value: ValueFor<NextEntry>, condition: RawBuilder<unknown> = sql`true`) => {
  const ofEntry = <Key extends keyof NextEntry['entry']>(key: Key) => value(({ entry }) => entry[key]);
  return sql`
    head as (
      update audit_head set last_id = ${ofEntry('id')}::bigint, last_hash = ${ofEntry('hash')}::bytea
      where last_id = ${value(({ head }) => head.lastId)}::bigint and last_hash = ${value(({ head }) => head.lastHash)}::bytea
        and ${condition}
      returning last_id
    ),
    entry as (
      insert into audit_entries (id, at, actor_id, actor_name, action, entity, entity_id, address, changes, hash)
      select last_id, ${ofEntry('at')}::timestamptz, ${ofEntry('actorId')}::uuid, ${ofEntry('actorName')}, ${ofEntry('action')},
        ${ofEntry('entity')}, ${ofEntry('entityId')}, ${ofEntry('address')}, ${ofEntry('changes')}::json, ${ofEntry('hash')}::bytea
      from head
    )`;
};
