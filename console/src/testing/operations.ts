import {
  type Operation,
  type OperationDetails,
  operationDetails,
  operationRoutes,
  operation as operationSchema,
} from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import type { HttpResponse } from 'msw';
import { ok, onRoute, server } from './server.ts';

let made = 0;

/** A running operation, as the activity panel gets it, checked against the contract. */
export function makeOperation(fields: Partial<Operation> = {}): Operation {
  made += 1;
  return operationSchema.parse({
    id: `00000000-0000-4000-a000-${String(made).padStart(12, '0')}`,
    kind: 'clone',
    databaseId: `00000000-0000-4000-b000-${String(made).padStart(12, '0')}`,
    databaseName: 'TRAINING',
    copiedFrom: 'ACME',
    startedBy: 'ada',
    state: 'running',
    steps: ['Ending sessions', 'Copying the files', 'Registering'],
    step: 1,
    percent: 40,
    cancellable: true,
    cancelRequested: false,
    elapsedSeconds: 12,
    expectedSeconds: 40,
    createdOnUtc: new Date().toISOString(),
    startedOnUtc: new Date().toISOString(),
    heartbeatOnUtc: new Date().toISOString(),
    finishedOnUtc: null,
    message: '',
    ...fields,
  });
}

/** The same, as a dialog gets it that waits for its end. */
export const makeOperationDetails = (fields: Partial<OperationDetails> = {}): OperationDetails =>
  operationDetails.parse({ ...makeOperation(fields), result: null, error: null, ...fields });

/**
 * Makes the calls of a route answer 202, as slow ones do (DECISIONS §8).
 * @returns the operation: `change` it and the next question about it answers the change; `queries` of the calls, number
 * of `cancels`
 */
export function mockOperation(route: ContractRoute, fields: Partial<OperationDetails> = {}) {
  const mock = {
    operation: makeOperationDetails(fields),
    queries: [] as Record<string, string>[],
    cancels: 0,
    change(changes: Partial<OperationDetails>) {
      mock.operation = operationDetails.parse({ ...mock.operation, ...changes });
    },
    succeed: (message: string, result: unknown = {}) =>
      mock.change({ state: 'succeeded', percent: 100, cancellable: false, message, result }),
    fail: (
      message: string,
      error: OperationDetails['error'] = { status: 500, title: 'Internal error', result: null },
    ) => mock.change({ state: 'failed', cancellable: false, message, error }),
    cancel: (message: string) =>
      mock.change({
        state: 'cancelled',
        cancellable: false,
        message,
        error: { status: 409, title: 'Cancelled', result: null },
      }),
  };
  server.use(
    onRoute(route, ({ request }) => {
      mock.queries.push(Object.fromEntries(new URL(request.url).searchParams));
      return ok({ operationId: mock.operation.id }, 'This takes a while and goes on in the background.', 202);
    }),
    onRoute(operationRoutes.get, ({ request }) => {
      const id = new URL(request.url).searchParams.get('id');
      // A call of an earlier test may still ask about its own operation.
      return id === mock.operation.id ? ok(mock.operation) : new Promise<HttpResponse<null>>(() => {});
    }),
    onRoute(operationRoutes.cancel, () => {
      mock.cancels += 1;
      mock.change({ cancelRequested: true });
      return ok({ operationId: mock.operation.id });
    }),
  );
  return mock;
}
