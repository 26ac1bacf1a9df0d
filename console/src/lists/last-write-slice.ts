import { createSlice, type UnknownAction } from '@reduxjs/toolkit';
import { api } from '../api/http/client.ts';
import { isRecord } from '../lib/is-record.ts';

/** The record that this user's newest call has created or changed. */
export interface LastWrite {
  id: string;
  /** The database in the answer: the tenants list finds the tenant of a new copy by it alone. */
  databaseName?: string;
  /** When the answer came, in milliseconds: a list that came later contains the change. */
  at: number;
}

/** The part of the store's state that the selector needs. */
interface LastWriteState {
  lastWrite: LastWrite | null;
}

const lastWriteSlice = createSlice({
  name: 'lastWrite',
  initialState: (): LastWriteState['lastWrite'] => null,
  reducers: {},
  extraReducers: (builder) => {
    builder.addMatcher(isFulfilledMutation, (before, { payload, meta }) => writeOf(payload, meta) ?? before);
  },
  selectors: { selectLastWrite: (state) => state },
});

export const lastWriteReducer = lastWriteSlice.reducer;
export const { selectLastWrite } = lastWriteSlice.selectors;

interface FulfilledMutation extends UnknownAction {
  payload: unknown;
  meta: { fulfilledTimeStamp: number };
}

/** RTK Query's own action, for all endpoints. */
function isFulfilledMutation(action: UnknownAction): action is FulfilledMutation {
  return action.type === `${api.reducerPath}/executeMutation/fulfilled` && isRecord(action.meta);
}

function writeOf(reply: unknown, { fulfilledTimeStamp: at }: FulfilledMutation['meta']): LastWrite | undefined {
  const result = isRecord(reply) ? reply.result : undefined;
  if (!isRecord(result) || typeof result.id !== 'string') return undefined;
  const { id, databaseName } = result;
  return typeof databaseName === 'string' ? { id, databaseName, at } : { id, at };
}
