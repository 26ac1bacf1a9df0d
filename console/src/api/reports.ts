import { isEnded, type OperationState } from '@apotheca/contract/operations';
import type { ContractRoute, ResultOf } from '@apotheca/contract/route';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import type { ApiError } from '../transport/api-error.ts';
import type { Call, Reply } from '../transport/transport.ts';
import { API_PATH } from './http/change-count.ts';
import { type ArgOf, callOf } from './http/client.ts';

/** What an import or a change of many records has done so far. */
interface Report {
  id: string;
  state: OperationState;
  rows: { line: number; result: string }[];
}

type Loaded = { data?: unknown; error?: ApiError };
type Load = (call: Call) => Loaded | PromiseLike<Loaded>;

/**
 * The endpoint of a report, which is asked for again and again while its operation goes on. All rows are loaded at the beginning and at the end,
 * as they may be megabytes; in between those that have come to their result. Rows are written in their order, so these stand behind the first
 * one that is waiting. Where that one is tried again at the end, what is far behind it is shown then.
 * @example getUsersBulk: build.query(reportFor(userBulkRoutes.report))
 */
export const reportFor = <const Route extends ContractRoute>(route: Route) => ({
  // It goes on to change while its operation runs.
  keepUnusedDataFor: 0,
  async queryFn(
    arg: ArgOf<Route>,
    context: BaseQueryApi,
    _options: unknown,
    load: Load,
  ): Promise<{ data: ResultOf<Route> } | { error: ApiError }> {
    const call = callOf(route, arg);
    const ask = async (query: object = {}) => {
      const { data, error } = await load({ ...call, query: { ...call.query, ...query }, needs: route.result });
      return error ? { error } : { data: (data as Reply<Report | null>).result };
    };
    const shown = shownReport(context);
    const next = shown && !isEnded(shown.state) ? firstToLoad(shown) : undefined;
    let answer = await ask(next === undefined ? {} : { fromLine: String(next) });
    if (shown && next !== undefined && answer.data !== undefined) {
      const isNext = answer.data?.id === shown.id && !isEnded(answer.data.state);
      answer = isNext && answer.data ? { data: withRows(shown, answer.data) } : await ask();
    }
    return answer as { data: ResultOf<Route> } | { error: ApiError };
  },
});

function shownReport({ getState, queryCacheKey = '' }: BaseQueryApi): Report | null | undefined {
  const { queries } = (getState() as Record<typeof API_PATH, { queries: Record<string, { data?: unknown }> }>)[
    API_PATH
  ];
  return queries[queryCacheKey]?.data as Report | null | undefined;
}

/** The line of the first row that is waiting; of the last row where none is. */
const firstToLoad = ({ rows }: Report): number | undefined =>
  (rows.find(({ result }) => result === 'waiting') ?? rows.at(-1))?.line;

/** A report with newer rows in place of its own. */
function withRows(shown: Report, newer: Report): Report {
  const byLine = new Map(newer.rows.map((row) => [row.line, row]));
  return { ...newer, rows: shown.rows.map((row) => byLine.get(row.line) ?? row) };
}
