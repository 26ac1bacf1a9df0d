import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

interface OperationCalls {
  /** The durable operation that the newest call of each endpoint has started: the endpoint's name → the operation's id. */
  ofCall: Record<string, string>;
  /** Ids of those whose dialog was left while they went on. */
  left: Record<string, true>;
}

const initialState: OperationCalls = { ofCall: {}, left: {} };

const operationSlice = createSlice({
  name: 'operationCalls',
  initialState,
  reducers: {
    operationRequested({ ofCall }, { payload: endpoint }: PayloadAction<string>) {
      delete ofCall[endpoint];
    },
    operationAccepted({ ofCall }, { payload }: PayloadAction<{ endpoint: string; operationId: string }>) {
      ofCall[payload.endpoint] = payload.operationId;
    },
    operationLeft({ left }, { payload: operationId }: PayloadAction<string>) {
      left[operationId] = true;
    },
  },
  selectors: {
    /** @param endpoint name of a mutation, such as 'copyDatabase' */
    selectOperationOfCall: ({ ofCall }, endpoint: string): string | undefined => ofCall[endpoint],
    selectIsLeft: ({ left }, operationId: string): boolean => Object.hasOwn(left, operationId),
  },
});

export const operationCalls = operationSlice.reducer;
export const { operationRequested, operationAccepted, operationLeft } = operationSlice.actions;
export const { selectOperationOfCall, selectIsLeft } = operationSlice.selectors;

/** What of the store the selectors need. */
export interface OperationCallsState {
  operationCalls: OperationCalls;
}
