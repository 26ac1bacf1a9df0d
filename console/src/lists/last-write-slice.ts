import { createSlice, type UnknownAction } from '@reduxjs/toolkit';
import { api } from '../api/http/client.ts';
import { isRecord } from '../lib/is-record.ts';

/** The record that this person's newest call has made or changed. */
export interface LastWrite {
  id: string;
  /** Where the call was about a database: a copy with a tenant of its own names that tenant no other way. */
  databaseName?: string;
  /** When its answer came, in milliseconds: a list that was asked for later has it. */
  at: number;
}

/** What of the store the selector needs. */
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

/** RTK Query's own action, of whatever endpoint. */
function isFulfilledMutation(action: UnknownAction): action is FulfilledMutation {
  return action.type === `${api.reducerPath}/executeMutation/fulfilled` && isRecord(action.meta);
}

function writeOf(reply: unknown, { fulfilledTimeStamp: at }: FulfilledMutation['meta']): LastWrite | undefined {
  const result = isRecord(reply) ? reply.result : undefined;
  if (!isRecord(result) || typeof result.id !== 'string') return undefined;
  const { id, databaseName } = result;
  return typeof databaseName === 'string' ? { id, databaseName, at } : { id, at };
}
