import type { Row } from './insert-rows.ts';

type Status = 'available' | 'quarantined' | 'expired' | 'depleted';
type Action = 'received' | 'quarantined' | 'expired' | 'depleted';

interface NewItem {
  product_id: number;
  location_id: number;
  inventory_order_id: number;
  lot_number: string;
  expires_on: string;
  received_on: string;
  vaccine_program: string;
  unit_cost: number;
}

/** A row of `items`. */
export interface Item extends NewItem {
  id: number;
  status: Status;
  quantity_on_hand: number;
  created_at: string;
  updated_at: string;
}

/** A row of `inventory_transactions`. */
export interface Movement {
  id: number;
  item_id: number;
  location_id: number;
  user_id: number;
  inventory_order_id: number | null;
  inventory_count_id: number | null;
  kind: 'receipt' | 'use' | 'waste' | 'count';
  quantity: number;
  balance_after: number;
  note: string | null;
  occurred_at: string;
}

/** Who did something, when, and what it belongs to. */
interface Cause {
  userId: number;
  at: string;
  orderId?: number;
  countId?: number;
  note?: string;
}

/** Books lots and their movements, so that quantities, running balances and states always agree. */
export class Ledger {
  readonly items: Item[] = [];
  /** Rows of `item_histories`. */
  readonly histories: Row[] = [];
  readonly movements: Movement[] = [];

  receive(lot: NewItem, quantity: number, cause: Cause): Item {
    const item: Item = {
      id: this.items.length + 1,
      ...lot,
      status: 'available',
      quantity_on_hand: 0,
      created_at: cause.at,
      updated_at: cause.at,
    };
    this.items.push(item);
    this.move(item, 'receipt', quantity, cause);
    this.record(item, 'received', cause);
    return item;
  }

  move(item: Item, kind: Movement['kind'], quantity: number, cause: Cause): Movement {
    item.quantity_on_hand += quantity;
    item.updated_at = cause.at;
    const movement: Movement = {
      id: this.movements.length + 1,
      item_id: item.id,
      location_id: item.location_id,
      user_id: cause.userId,
      inventory_order_id: cause.orderId ?? null,
      inventory_count_id: cause.countId ?? null,
      kind,
      quantity,
      balance_after: item.quantity_on_hand,
      note: cause.note ?? null,
      occurred_at: cause.at,
    };
    this.movements.push(movement);
    if (item.quantity_on_hand === 0 && item.status === 'available') this.setStatus(item, 'depleted', cause);
    return movement;
  }

  setStatus(item: Item, status: Exclude<Status, 'available'>, cause: Cause): void {
    item.status = status;
    item.updated_at = cause.at;
    this.record(item, status, cause);
  }

  private record(item: Item, action: Action, cause: Cause): void {
    const history = {
      id: this.histories.length + 1,
      item_id: item.id,
      location_id: item.location_id,
      user_id: cause.userId,
      action,
      status: item.status,
      quantity_on_hand: item.quantity_on_hand,
      note: cause.note ?? null,
      changed_at: cause.at,
    };
    this.histories.push(history);
  }
}
