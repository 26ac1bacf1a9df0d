import { isRecord } from '../lib/is-record.ts';
import { readItem, removeItem, writeItem } from '../lib/local-storage.ts';
import type { Credentials, SessionState } from './session-slice.ts';

/**
 * Keys of the session in the browser's storage (SPEC §3), in the order of writing. The token is last: other tabs take a
 * session over when its token appears, and then find the rest. public/early.js reads the token's key before the program.
 */
const KEYS = [
  'id',
  'role',
  'email',
  'firstName',
  'lastName',
  'username',
  'phone',
  'clockOffset',
  'refreshToken',
  'exp',
  'isLoggedIn',
  'jwtToken',
] as const satisfies (keyof SessionState)[];

/** Read at the start, never written: other clients that sign in here have stored a profile under it. */
const PROFILE_KEY = 'profile';

/** True for a storage event that may have changed the signed-in user. A null key stands for all keys. */
export const concernsSession = (key: string | null): boolean => key === null || KEYS.some((name) => name === key);

/** The stored session; undefined when there is none. */
export function readStoredSession(): Credentials | undefined {
  const jwtToken = readItem('jwtToken');
  if (!jwtToken) return undefined;
  const text = (key: keyof SessionState) => readItem(key) ?? '';
  const profile = readProfile();
  return {
    jwtToken,
    refreshToken: text('refreshToken'),
    id: text('id'),
    role: text('role'),
    email: text('email') || profile.email,
    firstName: text('firstName') || profile.firstName,
    lastName: text('lastName') || profile.lastName,
    username: text('username'),
    phone: text('phone'),
    clockOffset: Number(text('clockOffset')) || 0,
  };
}

/** Writes the changed fields only, so that a tab never overwrites newer values of another tab with its older ones. */
export function writeSession(before: SessionState, after: SessionState): void {
  for (const key of KEYS) {
    if (before[key] !== after[key]) writeItem(key, String(after[key] ?? ''));
  }
}

/** Written and removed at once: other tabs are told of the value. */
const SIGNED_OUT_KEY = 'signedOut';

/** Tells the other tabs that a user has signed out by hand. */
export function announceSignOut(id: string): void {
  writeItem(SIGNED_OUT_KEY, id);
  removeItem(SIGNED_OUT_KEY);
}

/** Whether a storage event tells that a user has signed out by hand in another tab. */
export const tellsSignOut = ({ key, newValue }: StorageEvent, id: string): boolean =>
  key === SIGNED_OUT_KEY && id !== '' && newValue === id;

/** Removes a session that has ended, unless another tab has signed in again meanwhile. */
export function removeSession(ended: Pick<Credentials, 'refreshToken'>): void {
  const stored = readItem('refreshToken');
  if (stored && stored !== ended.refreshToken) return;
  for (const key of KEYS.toReversed()) removeItem(key);
  removeItem(PROFILE_KEY);
}

function readProfile() {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { firstName, lastName, email } = parseRecord(readItem(PROFILE_KEY));
  return { firstName: text(firstName), lastName: text(lastName), email: text(email) };
}

function parseRecord(json: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
