/**
 * Every way in which a call can fail: HTTP status, title, and the message for when the code that throws gives no better one.
 * The server writes all error replies from this table; docs/errors.md explains it.
 */
export const ERRORS = {
  invalid: { status: 400, title: 'Invalid request', message: 'Some fields are not valid.' },
  malformed: { status: 400, title: 'Invalid request', message: 'The request body is not valid JSON.' },
  'too-deep': { status: 400, title: 'Invalid request', message: 'The request body is nested too deeply.' },
  'wrong-caller': {
    status: 400,
    title: 'Invalid request',
    message: 'The user named in the call is not the one signed in.',
  },
  'wrong-host': { status: 400, title: 'Wrong host', message: 'This server is not known by that name.' },
  'not-signed-in': { status: 401, title: 'Not signed in', message: 'Please sign in.' },
  'wrong-credentials': { status: 401, title: 'Not signed in', message: 'Username or password is incorrect.' },
  'sign-in-refused': {
    status: 401,
    title: 'Not signed in',
    message: 'This sign-in has expired or was used already. Please try again.',
  },
  'session-ended': { status: 401, title: 'Session ended', message: 'Your session has expired. Please login again.' },
  'key-refused': { status: 401, title: 'API key refused', message: 'This API key is not valid.' },
  'link-ended': {
    status: 410,
    title: 'Link no longer valid',
    message: 'This link was used, was replaced by a newer one, or is too old. Please ask for another one.',
  },
  'not-allowed': { status: 403, title: 'Not allowed', message: 'You do not have the permission for this.' },
  'read-only-token': { status: 403, title: 'Not allowed', message: 'This API token can only read.' },
  'proof-needed': {
    status: 403,
    title: 'Proof needed',
    message: 'Please confirm that it is you: the last time is more than 15 minutes ago.',
  },
  'cross-site': {
    status: 403,
    title: 'Not allowed',
    message: 'This call is refused when it comes from another site or a prefetch.',
  },
  'not-found': { status: 404, title: 'Not found', message: 'There is no such record.' },
  'no-route': { status: 404, title: 'Not found', message: 'There is no such call.' },
  'method-not-allowed': { status: 405, title: 'Method not allowed', message: 'This call does not answer that method.' },
  conflict: { status: 409, title: 'Conflict', message: 'The record conflicts with another one.' },
  'already-exists': { status: 409, title: 'Already exists', message: 'A record with this name exists already.' },
  'reserved-name': { status: 409, title: 'Reserved name', message: 'This name is reserved.' },
  busy: { status: 409, title: 'Busy', message: 'Another operation is running on this database. Please try again.' },
  stale: {
    status: 409,
    title: 'Changed meanwhile',
    message: 'Somebody else has changed this record meanwhile: please look at what changed.',
  },
  protected: { status: 409, title: 'Protected', message: 'This record is protected.' },
  'in-use': { status: 409, title: 'In use', message: 'This record is still in use.' },
  'plan-changed': {
    status: 409,
    title: 'Plan changed',
    message: 'Things have changed since the plan was made: please look at it again.',
  },
  cancelled: { status: 409, title: 'Cancelled', message: 'The operation was cancelled; nothing was changed.' },
  interrupted: {
    status: 500,
    title: 'Interrupted',
    message:
      'The server was killed three times during this operation, and gave it up. What it had begun is undone or finished by the server.',
  },
  'damaged-archive': { status: 400, title: 'Damaged archive', message: 'This archive cannot be restored.' },
  'tools-missing': {
    status: 503,
    title: 'PostgreSQL client programs missing',
    message:
      'This needs pg_dump and pg_restore: install the PostgreSQL client programs, or set PG_BIN_DIR to their folder.',
  },
  'key-busy': {
    status: 409,
    title: 'Still going on',
    message: 'The first call with this Idempotency-Key still goes on. Please try again in a moment.',
  },
  'key-reused': {
    status: 422,
    title: 'Key already used',
    message: 'This Idempotency-Key was used for another call: please choose a new one.',
  },
  'too-large': { status: 413, title: 'Too large', message: 'The request is larger than allowed.' },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    message: 'Send the body as application/json.',
  },
  'too-many': { status: 429, title: 'Too many requests', message: 'Too many attempts. Please wait and try again.' },
  'provider-away': {
    status: 503,
    title: 'Sign-in service unavailable',
    message: 'The service that you sign in with cannot be reached. Please try again in a moment.',
  },
  'store-away': {
    status: 503,
    title: 'Store unavailable',
    message: 'The store that has a copy of this archive cannot be read. Please try again later.',
  },
  internal: { status: 500, title: 'Server error', message: 'Something went wrong on the server.' },
  stopping: {
    status: 503,
    title: 'Server stopping',
    message: 'This server is stopping. Please try again in a moment.',
  },
  'database-away': {
    status: 503,
    title: 'Database unavailable',
    message: 'The database cannot be reached. Please try again.',
  },
  overloaded: {
    status: 503,
    title: 'Busy',
    message: 'There is too much to do at once. Please try again in a moment.',
  },
  'disk-full': {
    status: 507,
    title: 'Disk full',
    message: 'A disk of the server is full. Make room on it, then try again.',
  },
} as const satisfies Record<string, { status: number; title: string; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
