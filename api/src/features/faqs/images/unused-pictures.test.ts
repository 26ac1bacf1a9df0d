import { PICTURES } from '@apotheca/contract/rich-text';
import { beforeEach, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { makeFaqs } from '../../../testing/faqs.ts';
import { mostRowsRead, statementsOf } from '../../../testing/plans.ts';
import { deleteUnusedPictures } from './images.service.ts';

const test = useTestApp();
const make = makeFaqs(test);

const DAY = 24 * 60 * 60;

beforeEach(() => test.context.pool.query('delete from faq_images'));

/** Pictures that were uploaded just now. @returns their hashes, in their order */
async function insertPictures(count: number): Promise<string[]> {
  const { rows } = await test.context.pool.query(
    `insert into faq_images (hash, bytes, width, height, created_at, unused_since)
     select encode(sha256(uuid_send(gen_random_uuid())), 'hex'), '', 1, 1, $1, $1 from generate_series(1, $2) returning hash`,
    [test.clock.now, count],
  );
  return rows.map(({ hash }) => hash);
}
const left = async (): Promise<string[]> =>
  (await test.context.pool.query('select hash from faq_images')).rows.map(({ hash }) => hash);

it('stays wherever it is named, and none of 3,000 revisions is read to find that out [DECISIONS §13]', async () => {
  const [ofOverview = '', ofSection = '', ofAnswer = '', ofRevision = '', again = ''] = await insertPictures(6);
  const show = (hash: string) => `<p><img src="${PICTURES}${hash}" alt="Shown"></p>`;
  const faqId = await make.faq({ overview: show(ofOverview) });
  const sectionId = await make.section(faqId, { overview: show(ofSection) });
  const id = await make.question({ faqId, sectionId }, { answer: show(ofAnswer) });
  // As a process of the version before writes them.
  await test.context.pool.query(
    `insert into faq_revisions (question_id, version, verb, fields, content, actor_name, at)
     select $1, n, 'edit', '{}', jsonb_build_object('answer', case n when 1500 then $2 when 1501 then $3 else n::text end), '', now()
     from generate_series(2, 3001) n`,
    [id, show(ofRevision), show(again)],
  );
  await test.context.pool.query('analyze faq_revisions');
  test.clock.advance(6 * DAY);
  await deleteUnusedPictures(test.context);
  expect(await left()).toHaveLength(6);
  // As whoever uploads one once more: it counts as unused until it is looked for.
  await test.context.pool.query(`update faq_images set unused_since = created_at where hash = $1`, [again]);
  test.clock.advance(2 * DAY);
  const { statements } = await statementsOf(() => deleteUnusedPictures(test.context));
  expect((await left()).sort()).toEqual([ofOverview, ofSection, ofAnswer, ofRevision, again].sort());
  expect(statements).not.toEqual([]);
  for (const { text, values } of statements)
    expect(await mostRowsRead(test.context.pool, text, values), text).toBeLessThan(100);
});

it('is looked for with some others at a time, until none is left [DECISIONS §13]', async () => {
  await insertPictures(1234);
  test.clock.advance(8 * DAY);
  await deleteUnusedPictures(test.context, AbortSignal.abort());
  expect(await left()).toHaveLength(1234);
  const { statements } = await statementsOf(() => deleteUnusedPictures(test.context));
  expect(await left()).toEqual([]);
  expect(statements.filter(({ text }) => text.startsWith('delete'))).toHaveLength(3);
});
