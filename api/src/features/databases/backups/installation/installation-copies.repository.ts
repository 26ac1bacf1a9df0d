import { sql } from 'kysely';
import { hasCome } from '../../../../db/due-moments.ts';
import type { Platform, Trx } from '../../../../db/platform.ts';

/** A store whose next backup of the installation this server process makes, until its lease ends. */
export interface ClaimedInstallation {
  store: string;
  /** Of the lease. */
  run: string;
  /** Failures before this attempt. */
  attempts: number;
  /** What the last attempt was writing, if it did not end well; else empty. */
  unfinished: string;
}

/** Registers stores that are new. */
export async function insertInstallationCopies(platform: Platform, stores: readonly string[]): Promise<void> {
  await sql`
    insert into installation_copies (store) select unnest(${stores}::text[])
    on conflict do nothing`.execute(platform);
}

/**
 * What a store's newest backup of the installation has to know: another text when there is something new, as every write, sign-in and refusal has
 * an entry of the audit trail.
 * @param store its name in the query
 */
const markOf = (store: string) =>
  sql.raw(`(
    select coalesce((select last_id::text from audit_head), '') || ' ' || coalesce(md5(string_agg(backup_id::text, ',' order by backup_id)), '')
    from backup_copies where state = 'copied' and backup_copies.store = ${store})`);

/**
 * Takes a store for which a backup of the installation is due: there is none, the last attempt failed, or the newest one is a day old or knows
 * less than the control database.
 * @param lease in seconds
 * @param longest how many seconds the next attempt is away at most
 */
export async function claimInstallation(
  platform: Platform,
  stores: readonly string[],
  { run, lease, longest }: { run: string; lease: number; longest: number },
): Promise<ClaimedInstallation | undefined> {
  const { rows } = await sql<ClaimedInstallation>`
    update installation_copies c
    set state = 'copying', run = ${run}, due_at = now() + make_interval(secs => ${lease})
    where c.store = (
      select d.store from installation_copies d
      where ${hasCome('d.due_at', sql`now()`, sql`make_interval(secs => ${longest})`)} and d.store = any(${stores}::text[])
        and (d.state <> 'copied' or d.copied_at not between now() - interval '1 day' and now() or d.mark <> ${markOf('d.store')})
      order by d.due_at
      limit 1
      for update skip locked
    )
    returning c.store, c.run, c.attempts, c.writing as unfinished`.execute(platform);
  return rows[0];
}

/** What the next backup of the installation in a store will know at least. */
export async function readMark(platform: Platform, store: string): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select ${markOf('s.store')} as mark from (values (${store}::text)) s (store)`.execute(platform);
  return rows[0]?.mark ?? '';
}

type Lease = Pick<ClaimedInstallation, 'store' | 'run'>;

const isMine = ({ store, run }: Lease) => sql`store = ${store} and run = ${run}`;

/** @returns whether the store is still this process's */
export async function renewInstallation(platform: Platform, claimed: Lease, lease: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update installation_copies set due_at = now() + make_interval(secs => ${lease}) where ${isMine(claimed)}`.execute(
    platform,
  );
  return numAffectedRows > 0n;
}

/** Gives a store back, to be begun again. */
export async function releaseInstallation(platform: Platform, claimed: Lease): Promise<void> {
  await sql`update installation_copies set due_at = now(), run = null where ${isMine(claimed)}`.execute(platform);
}

/** Notes what is going to be written, so that whoever comes next finds what is left of it. */
export async function noteWriting(platform: Platform, claimed: Lease, object: string): Promise<void> {
  await sql`update installation_copies set writing = ${object} where ${isMine(claimed)}`.execute(platform);
}

interface StoredInstallation {
  object: string;
  sizeBytes: number;
  mark: string;
}

/** @param pause in how many seconds the next one may be made */
export async function setInstallationCopied(
  platform: Platform,
  claimed: Lease,
  { object, sizeBytes, mark }: StoredInstallation,
  pause: number,
): Promise<void> {
  await sql`
    update installation_copies set state = 'copied', object = ${object}, size_bytes = ${sizeBytes}, mark = ${mark}, copied_at = now(),
      writing = '', attempts = 0, last_error = '', run = null, due_at = now() + make_interval(secs => ${pause})
    where ${isMine(claimed)}`.execute(platform);
}

/** @param pause in how many seconds it is tried again @returns whether the store was still this process's */
export async function setInstallationFailed(
  trx: Trx,
  claimed: Lease,
  { reason, pause }: { reason: string; pause: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update installation_copies set state = 'failed', attempts = attempts + 1, last_error = ${reason}, run = null,
      due_at = now() + make_interval(secs => ${pause})
    where ${isMine(claimed)}`.execute(trx);
  return numAffectedRows > 0n;
}

/** The newest backup of the installation in a store. */
export interface InstallationFigures {
  store: string;
  /** In seconds since 1970; 0: there is none. */
  copiedAt: number;
  /** Failures since. */
  attempts: number;
}

export async function listInstallationCopies(
  platform: Platform,
  stores: readonly string[],
): Promise<InstallationFigures[]> {
  const { rows } = await sql<InstallationFigures>`
    select store, coalesce(extract(epoch from copied_at), 0)::float8 as "copiedAt", attempts
    from installation_copies where store = any(${stores}::text[])`.execute(platform);
  return rows;
}
