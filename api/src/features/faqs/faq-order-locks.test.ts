import { randomUUID } from 'node:crypto';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { onBudget, TimeBudget } from '../../db/connections/time-budget.ts';
import { DatabaseTimeout } from '../../db/errors/postgres-errors.ts';
import { useTestApp } from '../../testing/app.ts';
import { listsOf, makeFaqs } from '../../testing/faqs.ts';
import { lockOrder } from './faq-order.repository.ts';
import { changeOrder } from './faq-order.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { questionsOf } = listsOf(test);

/** Ends the sessions that wait for the locks of a session. @returns how many */
async function cutBehind(pid: number): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and ${pid} = any(pg_blocking_pids(pid))`.execute(test.context.utility);
  return rows.length;
}

it('a move whose connection is cut does not make later ones fail [§8]', async () => {
  const place = await make.place();
  const [first, second] = [await make.question(place), await make.question(place, { sortOrder: 9 })];
  const move = () => test.call(faqQuestionRoutes.move, { query: { id: second, moveUp: 'true' } });
  await test.context.utility.transaction().execute(async (trx) => {
    // On a busy machine it may be long until somebody waits.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await lockOrder(trx, { faqIds: [place.faqId], sectionIds: [place.sectionId] });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const cut = move();
    await expect.poll(() => cutBehind(rows[0]?.pid ?? 0)).toBe(1);
    expect((await cut).status).toBe(503);
  });
  expect((await move()).status).toBe(200);
  expect((await questionsOf(place.sectionId)).map(({ id }) => id)).toEqual([second, first]);
});

it('a change waits for those before it within the time of its request, and later ones still come after them [§8]', async () => {
  const parents = { faqIds: [randomUUID()] };
  const { platform } = test.context;
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const change = (name: string, work?: Promise<void>) =>
    changeOrder(platform, parents, async () => {
      begun.push(name);
      await work;
    });
  const first = change('first', promise);
  // The budget of the second one runs from its call on.
  await expect.poll(() => begun).toEqual(['first']);
  const second = onBudget(new TimeBudget(50), () => change('second'));
  const third = change('third');
  await expect(second).rejects.toBeInstanceOf(DatabaseTimeout);
  expect(begun).toEqual(['first']);
  resolve();
  await Promise.all([first, third]);
  expect(begun).toEqual(['first', 'third']);
});

it('an id has different locks as a section and as an FAQ, so that there is no deadlock [DECISIONS §11]', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const { platform } = test.context;
  await platform.transaction().execute(async (holder) => {
    await lockOrder(holder, { faqIds: [one], sectionIds: [other] });
    await platform.transaction().execute(async (trx) => {
      // A deadlock would show as a timeout: the holder waits for this transaction.
      await sql`set local lock_timeout = '100ms'`.execute(trx);
      await lockOrder(trx, { faqIds: [other], sectionIds: [one] });
    });
  });
});
