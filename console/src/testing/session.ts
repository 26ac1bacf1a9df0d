import { type SessionState, signedOut } from '../session/session-slice.ts';

/** A readable token that expires in this many seconds; its signature is invalid. */
export function makeToken(secondsLeft = 900, claims: Record<string, unknown> = {}): string {
  const exp = Math.floor(Date.now() / 1000) + secondsLeft;
  return ['header', base64Url(JSON.stringify({ exp, ...claims })), 'signature'].join('.');
}

const base64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** The session of a signed-in user, as preloaded state of a store. */
export function signedIn(overrides: Partial<SessionState> = {}): SessionState {
  const jwtToken = makeToken();
  return {
    ...signedOut,
    jwtToken,
    refreshToken: 'refresh-1',
    exp: Math.floor(Date.now() / 1000) + 900,
    isLoggedIn: true,
    id: '7d7f6c0e-4f43-4a57-9a52-3f9d1f3a0b11',
    role: 'Administrator',
    email: 'ada@apotheca.test',
    firstName: 'Ada',
    lastName: 'Byron',
    username: 'ada',
    ...overrides,
  };
}
