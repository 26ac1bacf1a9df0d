import { isRecord } from '../../lib/is-record.ts';

/** The address where this user's last session ended; undefined after the session of another user. @param state of the sign-in page */
export const addressLeft = (state: unknown, userId: string): string | undefined =>
  isRecord(state) && state.leftBy === userId && typeof state.address === 'string' ? state.address : undefined;
