import { z } from 'zod';
import { GROWING } from './fields.ts';
import { type Batch, countsOf, importRow, reportQuery, startQuery } from './imports.ts';
import { OPERATION_STATES } from './operations.ts';
import { route } from './route.ts';
import { id, utcMoment } from './text.ts';

/** How many records may be changed at once. */
export const MOST_AT_ONCE = 10_000;

/** What would become of a record. */
export const BULK_OUTCOMES = ['change', 'same', 'refused'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/** What became of a record: `waiting` for one that was not reached before the operation was cancelled. */
export const BULK_RESULTS = ['changed', 'same', 'refused', 'waiting'] as const;
export type BulkResult = (typeof BULK_RESULTS)[number];

/** A selected record, in the order of the selection. Its `record` is what it is called; its id where it is not there. */
const row = importRow.extend({ id: z.string() });

/** What a change of many records would do. It is kept under `id` until the caller's next one, at most for a day. */
export const bulkPlan = z.object({
  id: z.string(),
  counts: countsOf(BULK_OUTCOMES),
  rows: z.array(row.extend({ outcome: z.enum(BULK_OUTCOMES) })),
  /** Differs as soon as anything of it does. */
  digest: z.string(),
});
export type BulkPlan = z.infer<typeof bulkPlan>;

const bulkCounts = countsOf(BULK_RESULTS);

/** What an action did, also one that goes on or was cancelled. @param asked what was asked of all records */
const bulkReport = <Of extends z.ZodRawShape>(asked: Of) =>
  z.object({
    id: z.string(),
    /** The newest operation that writes it. */
    operationId: z.string(),
    asked: z.object(asked),
    /** Name of the user who started it. */
    startedBy: z.string(),
    startedOnUtc: utcMoment,
    /** That of the operation. */
    state: z.enum(OPERATION_STATES),
    counts: bulkCounts,
    rows: z.array(row.extend({ result: z.enum(BULK_RESULTS) })),
  });
export type BulkReport<Of = { action: string }> = Omit<
  z.infer<ReturnType<typeof bulkReport<z.ZodRawShape>>>,
  'asked'
> & {
  asked: Of;
};

const ids = z
  .array(id('An id is invalid'), { error: 'ids is required' })
  .min(1, 'Select at least one')
  .max(MOST_AT_ONCE, `Select at most ${MOST_AT_ONCE.toLocaleString('en-US')}`)
  .transform((all) => [...new Set(all)]);

/** What is asked of all selected records: an action, and the field that some actions need. */
type Asked = { action: z.ZodEnum } & z.ZodRawShape;

/** For answers, which may be of an action that only a newer version knows. */
const withLaterActions = <Of extends Asked>(asked: Asked): Omit<Of, 'action'> & { action: z.ZodString } => ({
  ...(asked as Of),
  action: z.string().register(GROWING, { values: asked.action.options.map(String) }),
});

interface Bulk extends Batch {
  asked: Asked;
  /** The field that an action needs, and what is said where it is missing. */
  needs?: Record<string, { field: string; message: string }>;
}

/** The calls that do something with many records: plan, do what was planned, look at what was done. */
export const bulkRoutes = <const Of extends Bulk>({ feature, noun, path, permission, fresh, asked, needs }: Of) => ({
  plan: route({
    feature,
    summary: `What an action would do with many ${noun}, one by one; nothing is done`,
    base: 'api',
    method: 'POST',
    path: `${path}/planbulk`,
    permission,
    body: z.object({ ...(asked as Of['asked']), ids }).superRefine((body: Record<string, unknown>, context) => {
      const need = needs?.[body.action as string];
      if (need && body[need.field] === undefined)
        context.addIssue({ code: 'custom', path: [need.field], message: need.message });
    }),
    result: bulkPlan,
  }),
  start: route({
    feature,
    summary: `Do what was planned with many ${noun}, one by one; one that fails does not stop the others`,
    base: 'api',
    method: 'POST',
    path: `${path}/bulk`,
    permission,
    ...(fresh && { fresh }),
    operation: true,
    query: startQuery,
    result: z.object({ id: z.string(), counts: bulkCounts }),
  }),
  report: route({
    feature,
    summary: `What an action did with each of many ${noun}: the newest one, unless another is asked for by its id or an operation's`,
    base: 'api',
    method: 'GET',
    path: `${path}/bulkreport`,
    permission,
    query: reportQuery,
    /** null: nothing has been done with many yet. */
    result: bulkReport(withLaterActions<Of['asked']>(asked)).nullable(),
  }),
});
