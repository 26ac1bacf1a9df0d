import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { makeFaqs } from '../../../testing/faqs.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';

const test = useTestApp();
const make = makeFaqs(test);

/** Few values of each, so that edits often change nothing. */
const fields = fc.record({
  question: fc.constantFrom('A?', 'B?', 'ẞ" \\ \u2028?'),
  answer: fc.constantFrom('<p>a</p>', '<p>b</p>', '<p dir="rtl">ب</p>'),
  isActive: fc.boolean(),
  published: fc.boolean(),
  publishAtUtc: fc.constantFrom(null, '2026-01-01T08:00:00.000Z'),
  publishUntilUtc: fc.constantFrom(null, '2026-02-01T08:00:00.000Z'),
});
type Content = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

type Step = { kind: 'edit'; content: Content } | { kind: 'move' } | { kind: 'restore'; at: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), content: fields }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), at: fc.nat(20) }) },
);

it('every revision is what a plain model remembers, and the newest is the present, after random writes [DECISIONS §13]', async () => {
  const place = await make.place();
  await make.question(place);
  await fc.assert(
    fc.asyncProperty(fields, fc.array(step, { maxLength: 6 }), async (first, steps) => {
      const id = await make.question(place, first);
      const model = { version: 1, revisions: new Map([[1, first]]), present: first };
      for (const one of steps) await take(model, id, one);
      const { result } = await test.call(faqRevisionRoutes.list, { query: { kind: 'question', id } });
      const kept: number[] = result.map(({ revision }: { revision: number }) => revision);
      expect(kept).toEqual([...model.revisions.keys()].reverse());
      for (const revision of kept) expect((await compare(id, revision)).past).toEqual(model.revisions.get(revision));
      expect(await compare(id, kept[0] ?? 0)).toEqual({
        past: model.present,
        present: model.present,
        version: model.version,
      });
    }),
    { numRuns: IS_LONG_RUN ? 300 : 15 },
  );

  /** Makes the step through the API and in the model. */
  async function take(model: Model, id: string, one: Step): Promise<void> {
    if (one.kind === 'move') {
      const { message } = await test.call(faqQuestionRoutes.move, { query: { id, moveUp: 'true' } });
      if (message.includes('moved')) model.version += 1;
      return;
    }
    const revision = one.kind === 'restore' ? ([...model.revisions.keys()][one.at % model.revisions.size] ?? 1) : 0;
    const after = one.kind === 'edit' ? one.content : (model.revisions.get(revision) as Content);
    const { version } = model;
    const { status } =
      one.kind === 'edit'
        ? await test.call(faqQuestionRoutes.edit, { body: { ...place, ...after, id, version } })
        : await test.call(faqRevisionRoutes.restore, { body: { kind: 'question', id, revision, version } });
    expect(status).toBe(200);
    model.version += 1;
    if (JSON.stringify(after) !== JSON.stringify(model.present)) model.revisions.set(model.version, after);
    model.present = after;
  }
});

interface Model {
  version: number;
  revisions: Map<number, Content>;
  present: Content;
}

const compare = async (id: string, revision: number) =>
  (await test.call(faqRevisionRoutes.compare, { query: { kind: 'question', id, revision: String(revision) } })).result;
