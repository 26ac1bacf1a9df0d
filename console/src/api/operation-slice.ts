import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** The durable operation that the newest call of each endpoint has started: the endpoint's name → the operation's id. */
const initialState: Record<string, string> = {};

const operationSlice = createSlice({
  name: 'operationOfCall',
  initialState,
  reducers: {
    operationRequested(state, { payload: endpoint }: PayloadAction<string>) {
      delete state[endpoint];
    },
    operationAccepted(state, { payload }: PayloadAction<{ endpoint: string; operationId: string }>) {
      state[payload.endpoint] = payload.operationId;
    },
  },
  selectors: {
    /** @param endpoint name of a mutation, such as 'copyDatabase' */
    selectOperationOfCall: (state, endpoint: string): string | undefined => state[endpoint],
  },
});

export const operationOfCall = operationSlice.reducer;
export const { operationRequested, operationAccepted } = operationSlice.actions;
export const { selectOperationOfCall } = operationSlice.selectors;

/** What of the store the selectors need. */
export interface OperationOfCallState {
  operationOfCall: Record<string, string>;
}
