import { countsList } from './dashboard.repository.ts';

/** The figures of the dashboard's three boxes. */
export const listCounts = countsList;
