import type { Hint } from '@apotheca/contract/hints';
import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { sql } from 'kysely';
import type { Platform } from '../../db/platform.ts';

/** What the query compares with, and cannot know. */
interface HintFacts {
  userId: string;
  /** Whether the person may sign in with a password, where they have one. */
  passwordsAreOn: boolean;
  /** The name of the only user who may sign in with a password; undefined: everybody may. */
  onlyLocalAccount: string | undefined;
  /** Of the providers that people may sign in by. */
  issuers: readonly string[];
  /** Whether the server sends mails. */
  mailsAreSent: boolean;
}

/** The hints that hold for a person and that they have not dismissed, in no order. */
export async function findHints(
  platform: Platform,
  { userId, passwordsAreOn, onlyLocalAccount, issuers, mailsAreSent }: HintFacts,
): Promise<Hint[]> {
  const only = onlyLocalAccount ?? null;
  const { rows } = await sql<{ hint: Hint }>`
    select hints.hint
    from users u, lateral (values
      ('no-tenant', not exists (select from tenants)),
      ('no-schedule', exists (select from databases d where d.state = 'ready' and d.tenant_id is not null)
        and not exists (select from backup_schedules s where s.frequency not in ('off', 'default'))),
      ('no-second-factor', ${passwordsAreOn}::boolean and u.password_hash is not null
        and not exists (select from totp_factors f where f.user_id = u.id)
        and not exists (select from passkeys p where p.user_id = u.id)),
      ('one-administrator', 1 = (
        select count(*) from users a join roles r on r.id = a.role_id
        where r.name = ${ADMINISTRATOR} and a.is_active and a.deleted_at is null and not a.is_service
          and (a.password_hash is not null and (${only}::text is null or a.user_name = ${only}::text)
            or exists (select from user_identities i where i.user_id = a.id and i.issuer = any(${issuers}::text[])))
      )),
      ('no-alerts', ${mailsAreSent}::boolean and u.email <> ''
        and not exists (select from alerts a where a.user_id = u.id))
    ) hints (hint, holds)
    where u.id = ${userId} and hints.holds
      and not exists (select from dismissed_hints d where d.user_id = u.id and d.hint = hints.hint)`.execute(platform);
  return rows.map(({ hint }) => hint);
}

export async function saveDismissal(
  platform: Platform,
  { userId, hint, now }: { userId: string; hint: Hint; now: Date },
): Promise<void> {
  await platform
    .insertInto('dismissedHints')
    .values({ userId, hint, dismissedAt: now })
    .onConflict((conflict) => conflict.columns(['userId', 'hint']).doNothing())
    .execute();
}
