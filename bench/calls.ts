import { setTimeout } from 'node:timers/promises';
import { isEnded, operationRoutes } from '@apotheca/contract/operations';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';

/** A running server and the administrator's access token. */
export interface Access {
  url: string;
  token: string;
}

interface Input {
  query?: Record<string, string>;
  body?: unknown;
}

/** Calls a route. @returns the whole answer. @throws when it is refused */
export async function call({ url, token }: Access, route: ContractRoute, { query, body }: Input = {}) {
  const response = await fetch(`${url}${BASE_PATHS[route.base]}${route.path}?${new URLSearchParams(query)}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${route.path}: ${await response.text()}`);
  return response.json();
}

/**
 * How often an operation is looked at whose call was answered before it ended, in milliseconds: at every 20 ms, looking took a tenth of the
 * processor time of a restore.
 */
const POLL = 250;

/** Calls the route of an operation and waits for its end, also where that takes longer than the call. @returns its result */
export async function perform(access: Access, route: ContractRoute, input: Input = {}) {
  const { status, result } = await call(access, route, input);
  if (status !== 202) return result;
  for (;;) {
    const { result: operation } = await call(access, operationRoutes.get, { query: { id: result.operationId } });
    if (operation.state === 'succeeded') return operation.result;
    if (isEnded(operation.state)) throw new Error(`${route.path}: ${operation.message}`);
    await setTimeout(POLL);
  }
}

/** Creates a tenant; its database has the tenant's code as its name. */
export async function createTenant(access: Access, code: string): Promise<void> {
  const body = {
    code,
    databaseName: code,
    customerCode: 'Clinic',
    firstName: 'Ines',
    lastName: 'Moreau',
    email: 'ines@clinic.test',
    phone: '(425) 555-0134',
    emrId: 'epic',
    timezoneId: 'UTC',
  };
  await call(access, tenantRoutes.create, { body });
}
