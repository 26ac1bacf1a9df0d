import { createSlice, type UnknownAction } from '@reduxjs/toolkit';

/** Where the API keeps its state; the types of its actions begin with it. */
export const API_PATH = 'api';

/** After these, lists are loaded again. */
const CHANGES = ['executeMutation/fulfilled', 'executeMutation/rejected', 'invalidateTags'].map(
  (type) => `${API_PATH}/${type}`,
);

const changeCountSlice = createSlice({
  name: 'changeCount',
  initialState: 0,
  reducers: {},
  extraReducers: (builder) => {
    builder.addMatcher(
      ({ type }: UnknownAction) => CHANGES.includes(type),
      (count) => count + 1,
    );
  },
});

export const changeCountReducer = changeCountSlice.reducer;

/** How many calls that change something have ended so far. */
export const changeCountOf = (state: unknown): number | undefined => (state as { changeCount?: number }).changeCount;
