import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

interface OperationCalls {
  /** By the name of an endpoint: the id of the operation that its newest call has started. */
  ofCall: Record<string, string>;
  /** Ids of the operations that continue in the background, as their dialog was closed. */
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

/** The part of the store's state that the selectors need. */
export interface OperationCallsState {
  operationCalls: OperationCalls;
}
