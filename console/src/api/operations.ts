import { isEnded, type OperationDetails, operationRoutes } from '@apotheca/contract/operations';
import type { ContractRoute, ResultOf } from '@apotheca/contract/route';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import { isRecord } from '../lib/is-record.ts';
import { messageText } from '../locales/messages.ts';
import { type ApiError, isApiError, readFieldErrors } from '../transport/api-error.ts';
import type { Reply } from '../transport/transport.ts';
import { baseQuery } from './http/base-query.ts';
import { type ArgOf, api, callOf, mutationFor, queryFor, usable } from './http/client.ts';
import { download } from './http/download.ts';
import {
  type OperationCallsState,
  operationAccepted,
  operationRequested,
  selectIsLeft,
} from './http/operation-slice.ts';

const ACCEPTED = 202;
/** How often a call asks for the state of its operation, in milliseconds. */
const POLL = 500;

const operationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listOperations: build.query({ ...queryFor(operationRoutes.list), providesTags: ['Operations'] }),
    getOperation: build.query(queryFor(operationRoutes.get)),
    cancelOperation: build.mutation({ ...mutationFor(operationRoutes.cancel), invalidatesTags: ['Operations'] }),
    retryOperation: build.mutation({ ...mutationFor(operationRoutes.retry), invalidatesTags: ['Operations'] }),
    downloadResults: build.mutation<null, { id: string }>({
      queryFn: (query, context) => download({ route: operationRoutes.results, query }, 'results.csv', context),
    }),
  }),
});

export const {
  useListOperationsQuery,
  useCancelOperationMutation,
  useRetryOperationMutation,
  useDownloadResultsMutation,
} = operationsApi;

/** The cached state of an operation; its call keeps it up to date. */
export const { useQueryState: useOperationState } = operationsApi.endpoints.getOperation;

type Finished<Result> = { data: Reply<Result> } | { error: ApiError };
type FinishedCall<Route> = Finished<ResultOf<Route> | undefined>;

/**
 * The endpoint of a call that starts a durable operation (DECISIONS §8). Its data or error comes when the operation has
 * ended; until then `selectOperationOfCall` gives its id by the endpoint's name, and {@link useOperationState} its
 * state.
 * @example cloneDatabase: build.mutation({ ...operationFor(databaseRoutes.copy), invalidatesTags:
 * unlessFailed('Databases') })
 */
export const operationFor = <const Route extends ContractRoute>(route: Route) => ({
  async queryFn(arg: ArgOf<Route>, context: BaseQueryApi): Promise<FinishedCall<Route>> {
    context.dispatch(operationRequested(context.endpoint));
    const answer = await baseQuery({ ...callOf(route, arg), respondAsync: true }, context, {});
    if (answer.error) return { error: answer.error };
    const reply = answer.data as Reply;
    const operationId = reply.status === ACCEPTED && isRecord(reply.result) ? reply.result.operationId : undefined;
    if (typeof operationId !== 'string') return { data: usable(route, reply) };
    context.dispatch(operationAccepted({ endpoint: context.endpoint, operationId }));
    const finished = await waitForEnd(operationId, context);
    context.dispatch(api.util.invalidateTags(['Operations']));
    return 'error' in finished ? finished : { data: usable(route, finished.data) };
  },
});

/**
 * Asks for the state of an operation until it has ended. A failed question is asked again, unless its status is final. The list of all is
 * loaded once that state is known: where it has ended already, others would load what is about to go.
 */
async function waitForEnd(id: string, { dispatch, getState }: BaseQueryApi): Promise<Finished<unknown>> {
  for (let isListed = false; ; isListed = true) {
    const load = dispatch(operationsApi.endpoints.getOperation.initiate({ id }, { forceRefetch: true }));
    const { data, error } = await load;
    if (!isListed) dispatch(api.util.invalidateTags(['Operations']));
    // Later than the next question, so that the cache entry outlives the pause between two questions.
    setTimeout(load.unsubscribe, POLL * 2);
    if (data && isEnded(data.state)) {
      dispatch(showEnded(data));
      return finishedOf(data, selectIsLeft(getState() as OperationCallsState, id));
    }
    if (isApiError(error) && FINAL.includes(error.status)) return { error };
    await new Promise((fulfil) => setTimeout(fulfil, POLL));
  }
}

/** Shows an operation as ended in the loaded list at once, before the list is loaded again. */
const showEnded = ({ result, error, ...ended }: OperationDetails) =>
  operationsApi.util.updateQueryData('listOperations', undefined, (list) =>
    list.map((one) => (one.id === ended.id ? ended : one)),
  );

/** After these nothing more can come: the user is signed out, or the server no longer has the operation. */
const FINAL: readonly ApiError['status'][] = [401, 403, 404];

/** @param isLeft the dialog is closed: the error carries the operation, so that the toast can name it */
function finishedOf(operation: OperationDetails, isLeft: boolean): Finished<unknown> {
  const { state, result, error } = operation;
  const message = messageText(operation.message);
  if (error) {
    const { status, errors, result: details } = error;
    return {
      error: {
        status,
        message,
        ...(isLeft && { background: operation }),
        ...(state === 'cancelled' && { isCancelled: true }),
        ...(errors && { errors: readFieldErrors(errors) }),
        ...(details === undefined || details === null ? {} : { result: details }),
      },
    };
  }
  return { data: { status: 200, message, result } };
}
