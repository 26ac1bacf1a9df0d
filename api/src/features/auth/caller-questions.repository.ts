// What the statements that find callers share: they answer for several calls at once, by sessions and by API keys.
import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { type RawBuilder, sql } from 'kysely';
import type { ValueFor } from '../../db/compiled-statements.ts';
import { type ReadTables, VERSION } from '../../db/json-list.ts';
import type { Platform } from '../../db/platform.ts';

/** What a call needs to know in addition to its caller. */
export interface CallNeeds {
  /** Absent: every signed-in user is allowed. */
  permission?: PermissionIdentifier | undefined;
  /** The tables whose version the call needs. Absent: none. */
  tables?: ReadTables | undefined;
}

/** The answer to the question at a place. */
export interface Placed {
  place: number;
}

/**
 * SQL of the questions, as rows of `asked`: their place, what calls need, and the columns that are named. They are one JSON text, whose number of
 * rows PostgreSQL does not look into: it keeps one plan, where arrays of few elements would be planned anew with each use.
 */
export const questionsAs = <Question>(value: ValueFor<readonly Question[]>, columns: RawBuilder<unknown>) => sql`
  json_to_recordset(${value((questions) => JSON.stringify(questions.map((one, place) => ({ ...one, place }))))}::json)
    as asked (place int, permission text, tables text[], ${columns})`;

/** SQL: whether the role of the user `u` has the permission that is asked for. */
export const ROLE_HAS_PERMISSION = sql<boolean>`exists (
  select from role_permissions rp
  join permissions p on p.id = rp.permission_id and p.is_active
  where rp.role_id = u.role_id and p.identifier = asked.permission
)`;

/** SQL of the version of the tables that are asked for. Asked for none it reads nothing: every call comes here. */
export const READ_TABLES = sql`(
  select ${sql.raw(VERSION)} from table_changes where cardinality(asked.tables) > 0 and table_name = any (asked.tables)
)`;

/** What a statement found for each question, in their order. */
export async function answersOf<Question, Row>(
  platform: Platform,
  select: (platform: Platform, questions: readonly Question[]) => Promise<(Row & Placed)[]>,
  questions: readonly Question[],
): Promise<readonly (Row | undefined)[]> {
  const rows = new Map((await select(platform, questions)).map((row) => [row.place, row]));
  return questions.map((_, place) => rows.get(place));
}
