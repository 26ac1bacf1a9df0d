import type { Profile } from '@apotheca/contract/auth';
import {
  createSlice,
  type PayloadAction,
  type ThunkAction,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { decodeToken, InvalidTokenError } from '../lib/token.ts';

/**
 * The signed-in user and the tokens (SPEC §3). Empty texts and a null `exp` mean that nobody is signed in. A session that has
 * ended in another way than by signing out here has no tokens any more, but still says whose it was.
 */
export interface SessionState {
  jwtToken: string;
  refreshToken: string;
  /** Expiry of the access token, in seconds of the server's clock. */
  exp: number | null;
  isLoggedIn: boolean;
  id: string;
  role: string;
  email: string;
  firstName: string;
  lastName: string;
  username: string;
  phone: string;
  /** Server's clock minus this browser's, in seconds, as measured at sign-in and refresh. */
  clockOffset: number;
}

/** The part of a store's state that the session needs. */
export interface SessionRoot {
  session: SessionState;
}

export type SessionThunk<Return> = ThunkAction<Return, SessionRoot, unknown, UnknownAction>;
export type SessionDispatch = ThunkDispatch<SessionRoot, unknown, UnknownAction>;

/** The fields that a sign-in, a refresh or the browser's storage sets; absent fields keep their value. */
export type Credentials = Partial<Omit<SessionState, 'exp' | 'isLoggedIn'>>;

export const signedOut: SessionState = {
  jwtToken: '',
  refreshToken: '',
  exp: null,
  isLoggedIn: false,
  id: '',
  role: '',
  email: '',
  firstName: '',
  lastName: '',
  username: '',
  phone: '',
  clockOffset: 0,
};

const sessionSlice = createSlice({
  name: 'session',
  initialState: signedOut,
  reducers: {
    /** Stores the tokens and reads `exp` and `role` from the access token; a token that cannot be read signs out. */
    setCredentials: (state, { payload }: PayloadAction<Credentials>): SessionState => {
      const next = { ...state, ...payload };
      const exp = expiryOf(next.jwtToken);
      if (exp === null) return signedOut;
      return { ...next, role: payload.role ?? roleOf(next), exp, isLoggedIn: true };
    },
    setProfile: (state, { payload }: PayloadAction<Partial<Profile>>) => {
      Object.assign(state, payload);
    },
    setUserId: (state, { payload }: PayloadAction<string>) => {
      state.id = payload;
    },
    clearUserId: (state) => {
      state.id = '';
    },
    resetSession: () => signedOut,
    /** The user has not signed out here, and may come back. */
    sessionEnded: (state) => ({ ...state, jwtToken: '', refreshToken: '', exp: null, isLoggedIn: false }),
  },
});

/** `exp` of a token; null for a token that cannot be read or has no valid `exp`. */
export function expiryOf(jwtToken: string): number | null {
  try {
    const { exp } = decodeToken(jwtToken);
    return typeof exp === 'number' && Number.isFinite(exp) ? exp : null;
  } catch (error) {
    if (error instanceof InvalidTokenError) return null;
    throw error;
  }
}

/** The role that the token names: it may have been renamed since the sign-in. A token without one keeps it. */
function roleOf({ jwtToken, role: known }: SessionState): string {
  const { role } = decodeToken(jwtToken);
  return typeof role === 'string' ? role : known;
}

export const sessionReducer = sessionSlice.reducer;
export const { setCredentials, setProfile, setUserId, clearUserId, resetSession, sessionEnded } = sessionSlice.actions;

export const selectSession = (state: SessionRoot): SessionState => state.session;
export const selectIsLoggedIn = (state: SessionRoot): boolean => state.session.isLoggedIn;
/** Whether a session has ended whose user may come back to the page that is still open. */
export const selectIsAway = ({ session }: SessionRoot): boolean => !session.isLoggedIn && session.id !== '';
/** Whether there is anybody for whom protected pages are open. */
export const selectHasUser = (state: SessionRoot): boolean => selectIsLoggedIn(state) || selectIsAway(state);

/** The current session, for code that has only a dispatch. */
export const readSession = (): SessionThunk<SessionState> => (_dispatch, getState) => selectSession(getState());
