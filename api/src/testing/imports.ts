import type { ImportedRow, ImportRoutes, PlannedImportRow } from '@apotheca/contract/imports';
import type { Answer, TestApp } from './app.ts';

type Options = { token?: string };

/** Rows of cells as a CSV file. */
export const csvOf = (...rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n'));

/** Functions that import files through some calls. */
export function importsBy(test: TestApp, routes: ImportRoutes) {
  const plan = (file: Buffer, options: Options = {}) => test.call(routes.plan, { body: file, ...options });
  const start = ({ id, digest }: { id: string; digest: string }, options: Options = {}) =>
    test.call(routes.start, { query: { id, plan: digest }, ...options });
  const report = (id: string) => test.call(routes.report, { query: { id } });
  return {
    plan,
    start,
    report,
    /** What becomes of the rows of a file that is imported. */
    async imported(file: Buffer, options: Options = {}): Promise<{ answer: Answer; results: Record<string, string> }> {
      const planned = await plan(file, options);
      if (planned.status !== 200) throw new Error(planned.message);
      const answer = await start(planned.result, options);
      const { rows } = (await report(planned.result.id)).result;
      return { answer, results: Object.fromEntries(rows.map(({ record, result }: ImportedRow) => [record, result])) };
    },
  };
}

/** What a plan says of its rows, in short. */
export const outcomesOf = ({ result }: Answer): Record<string, string> =>
  Object.fromEntries(result.rows.map(({ record, outcome }: PlannedImportRow) => [record, outcome]));

/** Why a plan refuses its rows, by record: 'Heading: message'. */
export const reasonsOf = ({ result }: Answer): Record<string, string[]> =>
  Object.fromEntries(
    result.rows
      .filter(({ reasons }: PlannedImportRow) => reasons.length > 0)
      .map(({ record, reasons }: PlannedImportRow) => [
        record,
        reasons.map(({ heading, message }) => `${heading}: ${message}`),
      ]),
  );
