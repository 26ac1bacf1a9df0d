import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { AppStore } from '../app/state/store.ts';

/**
 * Waits until no query is under way: while one is, asking again adds none. The page itself tells it up to a frame later,
 * as RTK Query gathers what it has to tell.
 */
export const allAnswered = (store: AppStore) =>
  waitFor(() => {
    const queries = Object.values(store.getState().api?.queries ?? {});
    expect(queries.filter((query) => query?.status === 'pending')).toEqual([]);
  });
