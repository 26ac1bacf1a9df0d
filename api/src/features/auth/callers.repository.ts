import { sql } from 'kysely';
import { compiledOnce } from '../../db/compiled-statements.ts';
import type { Platform } from '../../db/platform.ts';
import {
  answersOf,
  type CallNeeds,
  type Placed,
  questionsAs,
  READ_TABLES,
  ROLE_HAS_PERMISSION,
} from './caller-questions.repository.ts';
import { isOpen, type OpenAt } from './sessions.repository.ts';

export interface CallerRow {
  userId: string;
  sessionId: string;
  userName: string;
  role: string;
  kind: 'console' | 'api';
  lastSeenAt: Date;
  provedAt: Date | null;
  allowed: boolean;
  /** Of the tables that the call reads (decision 029). */
  version: string;
  /** How many numbers make up the version. */
  numbers: number;
}

/** Whose session is looked for, and what the call needs besides. */
export interface CallerQuestion extends CallNeeds, OpenAt {
  sessionId: string;
}

const selectCallers = compiledOnce<readonly CallerQuestion[], CallerRow & Placed>((value) => {
  const asked = questionsAs(value, sql`"sessionId" uuid, "idleSince" timestamptz, now timestamptz`);
  const openAt = { now: sql<Date>`asked.now`, idleSince: sql<Date>`asked."idleSince"` };
  return sql`
    select asked.place, found.*
    from ${asked} cross join lateral (
      select u.id as "userId", s.id as "sessionId", coalesce(nullif(u.user_name, ''), u.email) as "userName",
             r.name as role, s.kind, s.last_seen_at as "lastSeenAt", s.proved_at as "provedAt",
             asked.permission is null or ${ROLE_HAS_PERMISSION} as allowed, tables.version, tables.numbers
      from sessions s
      join users u on u.id = s.user_id and u.is_active and u.deleted_at is null and not u.is_service
      join roles r on r.id = u.role_id
      cross join ${READ_TABLES} tables
      where s.id = asked."sessionId" and ${isOpen(openAt)}
      limit 1
    ) found`;
});

/**
 * The users of open sessions, which service accounts never have, whether a user's role has a permission, and the version of the tables that a call
 * reads. It is read for every request, so that changes take effect at once.
 * @returns what was found for each question, in their order
 */
export const findCallers = (
  platform: Platform,
  questions: readonly CallerQuestion[],
): Promise<readonly (CallerRow | undefined)[]> => answersOf(platform, selectCallers, questions);

/** {@link findCallers} for one call. */
export async function findCaller(platform: Platform, question: CallerQuestion): Promise<CallerRow | undefined> {
  const [row] = await findCallers(platform, [question]);
  return row;
}
