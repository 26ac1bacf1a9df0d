import type { Context } from '../../context.ts';
import { type Counts, countAll } from './dashboard.repository.ts';

/** The figures of the dashboard's three boxes. */
export function getCounts(context: Context): Promise<Counts> {
  return countAll(context.platform);
}
