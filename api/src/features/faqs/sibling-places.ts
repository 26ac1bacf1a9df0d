import type { Trx } from '../../db/platform.ts';
import { closePlace, END, findPlace, openPlace, type Siblings, shiftBetween } from './sibling-places.repository.ts';

/** Where an edit puts a row. */
export interface Placed {
  from: Siblings;
  to: Siblings;
  /** The sort order that was typed; absent: the row keeps its own. */
  typed: number | undefined;
}

/** The sort order that nobody typed: a new row asks for no place with it (SPEC §3). */
const DEFAULT_SORT_ORDER = 0;

/**
 * Makes room for a new row: at the end where its sort order is the default, else where the typed one belongs.
 * @returns its place, dense from 0
 */
export async function openPlaceFor(trx: Trx, siblings: Siblings, typed: number): Promise<number> {
  const place = await findPlace(trx, siblings, typed === DEFAULT_SORT_ORDER ? END : typed);
  await openPlace(trx, siblings, place);
  return place;
}

/**
 * Puts a row where its typed sort order belongs, within its parent or in another one; both stay dense. The row itself is updated by the
 * caller.
 * @returns its new place
 */
export async function placeAnew(
  trx: Trx,
  row: { id: string; sortOrder: number; creationNumber: string },
  { from, to, typed = row.sortOrder }: Placed,
): Promise<number> {
  const isStaying = from.parentId === to.parentId;
  if (isStaying && typed === row.sortOrder) return row.sortOrder;
  const place = await findPlace(trx, to, typed, row);
  if (isStaying) {
    await shiftBetween(trx, from, row.sortOrder, place);
  } else {
    await closePlace(trx, from, row.sortOrder);
    await openPlace(trx, to, place);
  }
  return place;
}
