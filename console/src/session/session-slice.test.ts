import { describe, expect, test } from 'vitest';
import { makeToken, signedIn } from '../testing/session.ts';
import {
  clearUserId,
  resetSession,
  selectIsAway,
  sessionEnded,
  sessionReducer,
  setCredentials,
  setProfile,
  setUserId,
  signedOut,
} from './session-slice.ts';

describe('session state', () => {
  test('has the fields of the spec and the clock offset [§3]', () => {
    const { clockOffset, ...fields } = sessionReducer(undefined, { type: 'none' });
    expect(Object.keys(fields).toSorted()).toEqual(
      'email exp firstName id isLoggedIn jwtToken lastName phone refreshToken role username'.split(' '),
    );
    expect(fields.isLoggedIn).toBe(false);
  });

  test('setting credentials stores all fields and reads exp from the token [§4]', () => {
    const jwtToken = makeToken(0, { exp: 1_900_000_000 });
    const credentials = { jwtToken, refreshToken: 'r', id: '1', role: 'Viewer', email: 'a@b.test', phone: '1' };
    const state = sessionReducer(signedOut, setCredentials(credentials));
    expect(state).toMatchObject({ ...credentials, exp: 1_900_000_000, isLoggedIn: true });
  });

  test('setting a new token keeps the rest [§4]', () => {
    const state = sessionReducer(signedIn({ phone: '7' }), setCredentials({ jwtToken: makeToken(60) }));
    expect(state).toMatchObject({ username: 'ada', phone: '7', refreshToken: 'refresh-1', isLoggedIn: true });
  });

  test("a new token's role takes the place of the one before: it may have been renamed [DECISIONS §13]", () => {
    const jwtToken = makeToken(60, { role: 'Reception' });
    expect(sessionReducer(signedIn({ role: 'Front desk' }), setCredentials({ jwtToken }))).toMatchObject({
      role: 'Reception',
    });
  });

  test.each(['', 'x', 'a.b.c', `a.${btoa('{}')}.c`, `a.${btoa('{"exp":"soon"}')}.c`])(
    'an unreadable token (%j) signs out instead of crashing [§4]',
    (jwtToken) => {
      expect(sessionReducer(signedIn(), setCredentials({ jwtToken }))).toEqual(signedOut);
    },
  );

  test('setting the profile stores the phone too [§3]', () => {
    const state = sessionReducer(signedIn(), setProfile({ phone: '555', firstName: 'Augusta' }));
    expect(state).toMatchObject({ phone: '555', firstName: 'Augusta', lastName: 'Byron', isLoggedIn: true });
  });

  test('the user id alone can be set and cleared [§4]', () => {
    const state = sessionReducer(signedIn(), setUserId('42'));
    expect(state).toEqual({ ...signedIn({ jwtToken: state.jwtToken, exp: state.exp }), id: '42' });
    expect(sessionReducer(state, clearUserId())).toEqual({ ...state, id: '' });
  });

  test('a session that has ended has no tokens, and still says whose it was [§4]', () => {
    const state = sessionReducer(signedIn(), sessionEnded());
    expect(state).toEqual({ ...signedIn(), jwtToken: '', refreshToken: '', exp: null, isLoggedIn: false });
    expect([selectIsAway({ session: state }), selectIsAway({ session: signedOut })]).toEqual([true, false]);
  });

  test('reset clears every field [§4]', () => {
    expect(sessionReducer(signedIn({ clockOffset: 5, phone: '1' }), resetSession())).toEqual(signedOut);
  });
});
