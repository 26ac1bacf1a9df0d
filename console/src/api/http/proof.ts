import { proofNeeded } from '@apotheca/contract/proof';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import type { SessionDispatch, SessionThunk } from '../../session/session-slice.ts';
import type { ApiError } from '../../transport/api-error.ts';
import type { Call } from '../../transport/transport.ts';

const FORBIDDEN = 403;

interface WantedProof {
  /** What waits for a proof of who is signed in, in words; empty: nothing. */
  purposes: readonly string[];
}

const initialState: WantedProof = { purposes: [] };

const proofSlice = createSlice({
  name: 'proof',
  initialState,
  reducers: {
    proofWanted: ({ purposes }, { payload }: PayloadAction<string>): WantedProof => ({
      purposes: [...new Set([...purposes, payload])],
    }),
    proofAnswered: () => initialState,
  },
  selectors: { selectProofPurposes: ({ purposes }) => purposes },
});

const { proofWanted, proofAnswered } = proofSlice.actions;
export const proofReducer = proofSlice.reducer;
export const { selectProofPurposes } = proofSlice.selectors;

interface Proofs {
  /** How many were given so far. */
  given: number;
  /** What waits for the next one; it is told whether there is one. */
  waits?: PromiseWithResolvers<boolean>;
}

/** The store's own dispatch is the key, as each tab has one. */
const proofsOf = new WeakMap<object, Proofs>();

const readProofs = (): SessionThunk<Proofs> => (dispatch) => {
  const proofs = proofsOf.get(dispatch) ?? { given: 0 };
  proofsOf.set(dispatch, proofs);
  return proofs;
};

/** Asks the person who they are. All that ask at the same time wait for the same answer. @returns whether there was a proof */
const askForProof =
  (purpose: string): SessionThunk<Promise<boolean>> =>
  (dispatch) => {
    const proofs = dispatch(readProofs());
    proofs.waits ??= Promise.withResolvers();
    dispatch(proofWanted(purpose));
    return proofs.waits.promise;
  };

/** Ends the question who the person is; without one it does nothing. @param isProved false: the calls that wait have failed */
export const answerProof =
  (isProved: boolean): SessionThunk<void> =>
  (dispatch) => {
    const proofs = dispatch(readProofs());
    const { waits } = proofs;
    if (!waits) return;
    if (isProved) proofs.given += 1;
    proofs.waits = undefined;
    dispatch(proofAnswered());
    waits.resolve(isProved);
  };

/**
 * Makes a call. Where the server wants a fresh proof of who is signed in (decision 045), the person is asked, and the call is made
 * once more; without a proof its refusal is the outcome.
 */
export async function withProof<Outcome extends { error?: ApiError | undefined }>(
  { route }: Call,
  { dispatch, signal }: Pick<BaseQueryApi, 'dispatch' | 'signal'>,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  const inSession: SessionDispatch = dispatch;
  const proofs = inSession(readProofs());
  const { given } = proofs;
  const outcome = await attempt();
  if (!isProofNeeded(outcome.error)) return outcome;
  // The answer of a call that was sent before another one's proof may come after it.
  const isProved = proofs.given > given || (await inSession(askForProof(route.summary)));
  return isProved && !signal.aborted ? attempt() : outcome;
}

const isProofNeeded = (error: ApiError | undefined): boolean =>
  error?.status === FORBIDDEN && proofNeeded.safeParse(error.result).success;
