import type { ErrorCode } from './errors.ts';
import { PERMISSION_CATALOGUE } from './permission-catalogue.ts';
import type { ContractRoute } from './route.ts';

/** Whether a call may be made with an API key. */
export const takesKeys = ({ permission, byKey }: ContractRoute): boolean =>
  permission !== 'public' && (permission !== 'signed-in' || byKey === true);

/** Whether a call only reads, so that an API token may make it. */
export const isRead = ({ permission, method, plans }: ContractRoute): boolean =>
  (method === 'GET' || plans === true) &&
  (permission === 'signed-in' ||
    PERMISSION_CATALOGUE.some(({ identifier, access }) => identifier === permission && access === 'read'));

/** Whether a call changes something. */
export const changes = ({ method, mutates }: ContractRoute): boolean => method !== 'GET' || mutates === true;

/** Every error with which a call may be answered: what follows from its definition, and what that names besides. */
export function refusalsOf(route: ContractRoute): ErrorCode[] {
  const { permission, query, body, upload, operation, fresh, mutates, list } = route;
  const isPublic = permission === 'public';
  const hasInput = query !== undefined || body !== undefined;
  return [
    'wrong-host',
    ...when(hasInput, 'invalid', 'wrong-caller'),
    ...when(body !== undefined, 'malformed', 'too-deep', 'too-large', 'unsupported-media-type'),
    ...when(upload, 'too-large', 'unsupported-media-type'),
    ...when(!isPublic, 'not-signed-in', 'session-ended', 'too-many'),
    ...when(takesKeys(route), 'key-refused'),
    ...when(!isPublic, 'not-allowed'),
    ...when(!isPublic && !isRead(route), 'read-only-token'),
    ...when(fresh, 'proof-needed'),
    ...when(mutates, 'cross-site'),
    ...when(hasInput && !isPublic && !(list && query?.safeParse({}).success), 'not-found'),
    ...when(changes(route) && !isPublic, 'conflict', 'already-exists', 'protected', 'in-use'),
    ...when(!isPublic, 'busy'),
    ...when(takes(query, 'databaseName') || takes(body, 'databaseName'), 'reserved-name'),
    ...when(takes(body, 'version'), 'stale'),
    ...when(takes(query, 'plan') || takes(body, 'plan'), 'plan-changed'),
    ...when(route.keyed, 'invalid', 'key-busy', 'key-reused'),
    ...when(operation, 'cancelled', 'interrupted', 'damaged-archive', 'tools-missing'),
    ...(route.errors ?? []),
    'internal',
    'database-away',
    'overloaded',
    'disk-full',
  ];
}

const when = (condition: boolean | undefined, ...codes: ErrorCode[]): ErrorCode[] => (condition ? codes : []);

/** Whether a schema names a field, or one of its alternatives does. */
function takes(schema: unknown, field: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('options' in schema) return (schema.options as unknown[]).some((each) => takes(each, field));
  return 'shape' in schema && field in (schema.shape as object);
}
