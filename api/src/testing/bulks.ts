import type { ContractRoute } from '@apotheca/contract/route';
import type { Answer, TestApp } from './app.ts';

type Options = { token?: string };
type Row = { record: string; outcome?: string; result?: string; reasons: { message: string }[] };

/** Functions that do something with many records through some calls. */
export function bulksBy(test: TestApp, routes: Record<'plan' | 'start' | 'report', ContractRoute>) {
  const plan = (body: { action: string; ids: string[] } & Record<string, unknown>, options: Options = {}) =>
    test.call(routes.plan, { body, ...options });
  const start = ({ id, digest }: { id: string; digest: string }, options: Options & { headers?: object } = {}) =>
    test.call(routes.start, { query: { id, plan: digest }, ...options } as never);
  const report = (id: string) => test.call(routes.report, { query: { id } });
  return { plan, start, report };
}

/** What became, or would become, of each record: 'refused: why'. */
export const resultsOf = ({ result }: Answer): Record<string, string> =>
  Object.fromEntries(
    result.rows.map(({ record, outcome, result: became, reasons }: Row) => [
      record,
      [outcome ?? became, ...reasons.map(({ message }) => message)].join(': '),
    ]),
  );
