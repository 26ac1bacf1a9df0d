import { reconcile } from '../features/databases/reconciliation/reconciliation.service.ts';
import { counted, momentInWords } from '../wording.ts';
import { findDatabases } from './found-databases.ts';
import {
  countRevived,
  findRestoredFrom,
  findSettled,
  listCandidates,
  listStrangers,
  type RegisteredDatabase,
  type Revived,
} from './recovery.repository.ts';
import type { Recovery } from './stored-archives.ts';

interface Findings {
  /** Name of the backup of the installation. */
  object: string;
  /** When the backup of the installation was made. */
  madeAt: Date;
  problems: readonly string[];
  /** Why backups could not be used, by database. */
  reasons: ReadonlyMap<string, readonly string[]>;
}

/** What is said of a database. */
interface Note {
  line?: string;
  isWhole: boolean;
}

/** Says what is there, what is newer than the control database, and what is missing. @returns whether nothing is missing */
export async function report(
  { context, say }: Recovery,
  { object, madeAt, problems, reasons }: Findings,
): Promise<boolean> {
  const { platform } = context;
  const { there, lost, unknown, problems: ofServers } = await findDatabases(context, 'ready');
  const all = new Set([...problems, ...ofServers]);
  const { id: settled, parked, operations } = await findSettled(platform, object);
  const notes = await Promise.all([...there.map(describeThere), ...lost.map(describeLost)]);
  const { findings } = await reconcile(context);
  const unregistered = findings.filter(({ kind }) => kind === 'database-without-owner').map(({ subject }) => subject);
  const strangers = (await listStrangers(platform, madeAt)).filter((name) => !unregistered.includes(name));
  say('');
  say(`${there.length} of ${there.length + lost.length + unknown.length} databases are back.`);
  for (const { line } of notes) if (line) say(line);
  for (const name of unregistered)
    say(
      `UNKNOWN ${name}: the control database's backup does not know it. It is there: Reconcile registers it as a clone`,
    );
  for (const name of strangers)
    say(
      `UNKNOWN ${name}: made after the control database's backup. Its backup is in the list: restore it under a new name`,
    );
  if (parked.length > 0) say(`Parked databases are in no backup, and gone: ${parked.join(', ')}`);
  if (operations > 0) say(`Operations that were under way have ended as failed: ${operations}`);
  for (const problem of all) say(`PROBLEM ${problem}`);
  say(`What was revoked, deactivated, closed or deleted after ${momentInWords(madeAt)} is as it was before:`);
  for (const line of describeRevived(await countRevived(platform, context.now()))) say(`CHECK ${line}`);
  return notes.every(({ isWhole }) => isWhole) && strangers.length + unregistered.length + all.size === 0;

  function why({ id }: RegisteredDatabase): string {
    return (reasons.get(id) ?? []).map((reason) => `; ${reason}`).join('');
  }

  async function describeLost(database: RegisteredDatabase): Promise<Note> {
    const [newest] = await listCandidates(platform, database.id, context.now());
    const reason = newest ? why(database) : ': no store has a backup of it';
    return { line: `MISSING ${database.name}${reason}`, isWhole: false };
  }

  async function describeThere(database: RegisteredDatabase): Promise<Note> {
    const { id, name } = database;
    const [newest] = await listCandidates(platform, id, context.now());
    // Absent where its server had it all the time.
    const used = await findRestoredFrom(platform, id, settled);
    if (!used) return { isWhole: true };
    if (newest && newest.createdAt.getTime() !== used.createdAt.getTime())
      return { line: `OLDER ${name}: as of ${momentInWords(used.createdAt)}${why(database)}`, isWhole: false };
    if (used.createdAt <= madeAt) return { isWhole: true };
    return {
      line: `NEWER ${name}: as of ${momentInWords(used.createdAt)}, after the control database's backup`,
      isWhole: true,
    };
  }
}

/** A line for each kind of record that gives somebody access, where there are any. */
function describeRevived({ apiKeys, people, services, logins, tenants, webhooks }: Revived): string[] {
  const lines: [number, string][] = [
    [apiKeys, `${counted(apiKeys, 'API key')}: a revoked one is valid again, a new one is unknown`],
    [
      people,
      `${counted(people, 'active user')}: who was deactivated can sign in again, with role, password and second factor of then`,
    ],
    [services, `${counted(services, 'active service account')}: a deactivated one may call again, once it has a key`],
    [
      logins,
      `${counted(logins, 'login')} of tenants' databases: a revoked one works again, a rotated one with the password of then`,
    ],
    [
      tenants,
      `${counted(tenants, 'active tenant')}: a deleted one is there again, the database of a deactivated one is open`,
    ],
    [webhooks, `${counted(webhooks, 'active webhook')}: one that was switched off or deleted sends again`],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
}
