import type { ErrorCode } from './errors.ts';

const text = (description: string) => ({ schema: { type: 'string' }, description });

/** Errors whose answers say when to try again. */
const WAITS: readonly ErrorCode[] = ['too-many', 'overloaded', 'key-busy'];

/** The headers of a failure. @param codes what it may be */
export function failureHeaders(status: number, codes: readonly ErrorCode[]) {
  const waits = codes.some((code) => WAITS.includes(code));
  const asks = status === 401 || codes.includes('proof-needed');
  if (!waits && !asks) return {};
  return {
    headers: {
      ...(waits && {
        'Retry-After': {
          schema: { type: 'integer' },
          description: 'Seconds to wait before another attempt; absent where the server cannot tell.',
        },
      }),
      ...(asks && {
        'WWW-Authenticate': text(
          status === 401
            ? '`Bearer`.'
            : 'Where a fresh proof is needed: `Bearer error="insufficient_user_authentication"` (RFC 9470).',
        ),
      }),
    },
  };
}

/** The headers of a 202. */
export const ACCEPTED_HEADERS = {
  Location: text('Where to ask how the operation is.'),
  'Preference-Applied': text('`respond-async`, where the call asked for that.'),
};

/** The headers of a file. */
export const FILE_HEADERS = {
  'Content-Disposition': text('`attachment`, with the name of the file as `filename*` (RFC 8187).'),
};
