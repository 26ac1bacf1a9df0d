import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { insertAccount } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { startReceiver } from '../../testing/webhook-receiver.ts';
import { useWebhooks } from '../../testing/webhooks.ts';
import { queueAlerts } from './alerts/alert-mails.ts';
import { saveAlerts } from './alerts/alerts.repository.ts';
import { startEvents } from './event-worker.ts';
import { findNewestEntry } from './events.repository.ts';

const test = useTestApp({ webhookHosts: ['127.0.0.1'] });
const { create, happen } = useWebhooks(test);
/** It only finds what hangs. */
const PATIENCE = { timeout: 240_000 };

/** People who are told at once, from the newest entry on. @param longAgo in seconds: since when they may be told */
async function people(count: number, eventType: string, longAgo: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await insertAccount(test, { role: 'Viewer' })).id);
  await test.context.platform.transaction().execute(async (trx) => {
    const entryCursor = await findNewestEntry(trx);
    const dueAt = sql<Date>`now() - make_interval(secs => ${longAgo})`;
    const alerts = { eventTypes: [eventType], mode: 'at-once', hour: 7, timeZone: 'UTC', entryCursor, dueAt } as const;
    for (const id of ids) await saveAlerts(trx, id, { ...alerts, eventTypes: [eventType] });
  });
  return ids;
}

/** Where the people's cursors stand, and by how many transactions they were moved there. */
async function cursors(): Promise<{ newest: string; transactions: number }> {
  const { rows } = await sql<{ newest: string; transactions: number }>`
    select max(entry_cursor)::text as newest, count(distinct xmin::text)::int as transactions from alerts`.execute(
    test.context.platform,
  );
  return rows[0] ?? { newest: '', transactions: 0 };
}

it('a trail that goes on and on stops neither a delivery nor a mail, whoever else is to be told [DECISIONS §13]', async () => {
  test.context.mail = {
    server: { host: '127.0.0.1', port: 1, secure: false, credentials: undefined },
    from: 'console@clinic.test',
    publicUrl: 'https://console.clinic.test',
  };
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  // Their turn is always before that of whoever was told already, and nothing of theirs happens.
  await people(10, 'backups.failed', 3_600);
  const [told] = await people(1, 'tenants.created', 0);
  await create(receiver.url, ['tenants.created']);
  let isWritten = true;
  let written = 0;
  const write = async () => {
    while (isWritten) {
      await happen('users.edit', 'u1');
      written += 1;
    }
  };
  const writing = write();
  const worker = startEvents(test.context, (error) => test.background.push(error), { poll: 10 });
  try {
    const before = (await cursors()).newest;
    await expect.poll(async () => (await cursors()).newest, PATIENCE).not.toBe(before);
    await happen('tenants.create', 'acme', { code: 'ACME' });
    await expect.poll(() => receiver.calls.length, PATIENCE).toBe(1);
    const mails = test.context.platform.selectFrom('mails').select('readerId');
    await expect.poll(() => mails.execute(), PATIENCE).toEqual([{ readerId: told }]);
    const sofar = written;
    await expect.poll(() => written, PATIENCE).toBeGreaterThan(sofar);
  } finally {
    isWritten = false;
    await writing;
    await worker.stop();
  }
  expect(test.background).toEqual([]);
});

it('an entry that is no event moves the cursors of all who are told at once in one transaction [DECISIONS §13]', async () => {
  await test.context.platform.deleteFrom('alerts').execute();
  await people(10, 'backups.failed', 0);
  for (let n = 0; n < 3; n += 1) await happen('users.edit', 'u1');
  await queueAlerts(test.context);
  expect(await cursors()).toEqual({ newest: await findNewestEntry(test.context.platform), transactions: 1 });
});
