import type { WithSlice } from '@reduxjs/toolkit';
import type { api } from '../../api/http/client.ts';
import type { operationCalls } from '../../api/http/operation-slice.ts';
import type { proofReducer } from '../../api/http/proof.ts';
import type { lastWriteReducer } from '../../lists/last-write-slice.ts';

/** What `addApi` adds to the store's state. */
export type AddedState = WithSlice<typeof api> & {
  operationCalls: ReturnType<typeof operationCalls>;
  proof: ReturnType<typeof proofReducer>;
  lastWrite: ReturnType<typeof lastWriteReducer>;
};
