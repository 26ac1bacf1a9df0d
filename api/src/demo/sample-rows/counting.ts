import { momentOn } from './dates.ts';
import type { Row } from './insert-rows.ts';
import type { Item } from './ledger.ts';
import type { Clinic } from './practice.ts';
import { createRandom, type Random } from './random.ts';
import type { Stockroom } from './stockroom.ts';

/** Minutes after midnight UTC, between delivery and opening. */
const COUNTING = 750;

/** Counts the stock of every storage location on the first day of a quarter, and books what is missing. */
export class Counting {
  /** Rows of `inventory_counts`. */
  readonly counts: Row[] = [];
  /** Rows of `inventory_count_histories`. */
  readonly lines: Row[] = [];
  private readonly random: Random;
  private readonly stockroom: Stockroom;
  private readonly clinics: readonly Clinic[];

  constructor(seed: number, stockroom: Stockroom, clinics: readonly Clinic[]) {
    this.random = createRandom(seed, 'counts');
    this.stockroom = stockroom;
    this.clinics = clinics;
  }

  /** Counts if it is due on this day. */
  onMorning(day: string): void {
    if (!/-(01|04|07|10)-01$/.test(day)) return;
    for (const clinic of this.clinics) {
      for (const locationId of Object.values(clinic.storage)) this.count(clinic, locationId, day);
    }
  }

  private count(clinic: Clinic, locationId: number, day: string): void {
    const [pharmacist, technician] = clinic.stockKeepers;
    const [counter, approver] = this.random.chance(0.5) ? [pharmacist, technician] : [technician, pharmacist];
    const count = {
      id: this.counts.length + 1,
      location_id: locationId,
      counted_by_user_id: counter.id,
      approved_by_user_id: approver.id,
      status: 'approved',
      started_at: momentOn(day, COUNTING),
      finished_at: momentOn(day, COUNTING + this.random.integer(20, 60)),
      note: this.random.chance(0.2)
        ? `Counted with ${clinic.frontDesk.first_name} ${clinic.frontDesk.last_name}`
        : null,
    };
    this.counts.push(count);
    const items = this.stockroom.shelves
      .filter((shelf) => shelf.locationId === locationId)
      .flatMap((shelf) => shelf.items);
    for (const item of items.filter((each) => each.quantity_on_hand > 0)) this.line(count, item);
  }

  private line(count: { id: number; counted_by_user_id: number; started_at: string }, item: Item): void {
    const isMissing = this.random.chance(0.03);
    const line = {
      id: this.lines.length + 1,
      inventory_count_id: count.id,
      item_id: item.id,
      expected_quantity: item.quantity_on_hand,
      counted_quantity: item.quantity_on_hand - (isMissing ? 1 : 0),
      reason: isMissing ? 'One less than booked' : null,
      counted_at: count.started_at,
    };
    this.lines.push(line);
    if (isMissing) {
      const cause = { userId: count.counted_by_user_id, at: count.started_at, countId: count.id };
      this.stockroom.ledger.move(item, 'count', -1, cause);
    }
  }
}
