import type { Product } from './catalogue.ts';
import { addDays, momentOn, mondayFrom } from './dates.ts';
import { type Item, Ledger, type Movement } from './ledger.ts';
import { HISTORY_DAYS } from './patients.ts';
import type { Clinic, User } from './practice.ts';
import { orderUnitPrice } from './product-details.ts';
import { createRandom, type Random } from './random.ts';
import type { Visit } from './visits.ts';
import { WASTE_REASONS } from './words.ts';

/** Minutes after midnight UTC: before the doors open, and after they close. */
const CLEARING = 690;
const DELIVERY = 720;
const EVENING = 1380;
/** How many days a delivery should last, and how early the next one is ordered. */
const SUPPLY_DAYS = 120;
const RESERVE_DAYS = 21;

/** A clinic's stock of one product for one vaccine program. */
export interface Shelf {
  clinic: Clinic;
  product: Product;
  program: string;
  locationId: number;
  /** In use units. */
  minimum: number;
  /** In order units. */
  orderQuantity: number;
  items: Item[];
  isAwaited: boolean;
}

export interface Order {
  id: number;
  shelf: Shelf;
  requestedBy: User;
  requestedOn: string;
  orderedOn: string;
  deliveredOn: string;
}

/** Simulates the stock day by day: what visits take, what is ordered and delivered, and what expires. */
export class Stockroom {
  readonly ledger = new Ledger();
  readonly shelves: Shelf[];
  readonly orders: Order[] = [];
  private readonly random: Random;
  private readonly shelfByKey: Map<string, Shelf>;
  private awaited: Order[] = [];
  private day: string;

  /** @param start the first day, on which every shelf is full */
  constructor(seed: number, visits: readonly Visit[], start: string) {
    this.random = createRandom(seed, 'stock');
    this.shelfByKey = planShelves(visits);
    this.shelves = [...this.shelfByKey.values()];
    this.day = addDays(start, -14);
    for (const shelf of this.shelves) this.order(shelf);
    this.goOnTo(start, () => {});
  }

  /** Simulates the days up to and including a date. Calls `onMorning` for each, after its deliveries. */
  goOnTo(date: string, onMorning: (day: string) => void): void {
    while (this.day < date) {
      this.day = addDays(this.day, 1);
      for (const shelf of this.shelves) this.clear(shelf);
      const due = this.awaited.filter((order) => order.deliveredOn === this.day);
      this.awaited = this.awaited.filter((order) => order.deliveredOn !== this.day);
      for (const order of due) {
        this.deliver(order);
        order.shelf.isAwaited = false;
      }
      onMorning(this.day);
    }
  }

  /** Takes what a visit of the present day uses. */
  take(visit: Visit): Movement {
    const shelf = this.shelfByKey.get(shelfKey(visit));
    if (!shelf) throw new RangeError(`No shelf was planned for ${shelfKey(visit)}`);
    const cause = { userId: visit.nurse.id, at: visit.at };
    if (this.random.chance(0.02)) {
      const note = this.random.pick(WASTE_REASONS);
      this.ledger.move(this.find(shelf, visit.quantity), 'waste', -visit.quantity, { ...cause, note });
    }
    const movement = this.ledger.move(this.find(shelf, visit.quantity), 'use', -visit.quantity, cause);
    this.orderIfLow(shelf);
    return movement;
  }

  /** Quarantines every nth remaining lot, as after the alarm of a refrigerator. */
  quarantineEvery(nth: number): void {
    const left = this.shelves.flatMap(({ clinic, items }) =>
      items.filter((item) => item.quantity_on_hand > 0).map((item) => ({ item, userId: clinic.stockKeepers[0].id })),
    );
    for (const { item, userId } of left.filter((_, index) => index % nth === 0)) {
      const cause = { userId, at: momentOn(this.day, EVENING), note: 'Temperature alarm, under review' };
      this.ledger.setStatus(item, 'quarantined', cause);
    }
  }

  /** The oldest lot with enough in it; if there is none, an urgent delivery of the same morning. */
  private find(shelf: Shelf, quantity: number): Item {
    const item = shelf.items.find((each) => each.quantity_on_hand >= quantity);
    return item ?? this.deliver(this.order(shelf, { urgent: true }));
  }

  private orderIfLow(shelf: Shelf): void {
    const onHand = shelf.items.reduce((sum, item) => sum + item.quantity_on_hand, 0);
    if (onHand <= shelf.minimum && !shelf.isAwaited) this.order(shelf);
  }

  /** Orders. All orders to a vendor go out together on Mondays, except for urgent ones. */
  private order(shelf: Shelf, { urgent = false } = {}): Order {
    const orderedOn = urgent ? this.day : mondayFrom(this.day);
    const order = {
      id: this.orders.length + 1,
      shelf,
      requestedBy: this.random.pick(shelf.clinic.stockKeepers),
      requestedOn: this.day,
      orderedOn,
      deliveredOn: urgent ? this.day : addDays(orderedOn, shelf.product.vendor.leadDays),
    };
    this.orders.push(order);
    if (!urgent) {
      this.awaited.push(order);
      shelf.isAwaited = true;
    }
    return order;
  }

  private deliver({ id, shelf, requestedBy }: Order): Item {
    const { product, clinic, orderQuantity } = shelf;
    const lot = {
      product_id: product.id,
      location_id: shelf.locationId,
      inventory_order_id: id,
      lot_number: product.manufacturer.charAt(0) + this.random.pick(['A', 'B', 'K', 'T']) + String(id).padStart(5, '0'),
      expires_on: addDays(this.day, this.random.integer(300, 720)),
      received_on: this.day,
      vaccine_program: shelf.program,
      unit_cost: Math.round((orderUnitPrice(product) / product.usePerOrderUnit) * 10_000) / 10_000,
    };
    const receiver = this.random.pick([requestedBy, ...clinic.stockKeepers]);
    const item = this.ledger.receive(lot, orderQuantity * product.usePerOrderUnit, {
      userId: receiver.id,
      at: momentOn(this.day, DELIVERY),
      orderId: id,
    });
    shelf.items.push(item);
    return item;
  }

  /** Removes expired and empty lots from a shelf. */
  private clear(shelf: Shelf): void {
    const expired = shelf.items.filter((item) => item.expires_on <= this.day && item.quantity_on_hand > 0);
    for (const item of expired) {
      const cause = {
        userId: this.random.pick(shelf.clinic.stockKeepers).id,
        at: momentOn(this.day, CLEARING),
        note: 'Expired',
      };
      this.ledger.setStatus(item, 'expired', cause);
      this.ledger.move(item, 'waste', -item.quantity_on_hand, cause);
    }
    shelf.items = shelf.items.filter((item) => item.quantity_on_hand > 0);
    if (expired.length > 0) this.orderIfLow(shelf);
  }
}

function shelfKey({ clinic, product, program }: Pick<Visit, 'clinic' | 'product' | 'program'>): string {
  return `${clinic.id}/${product.id}/${program}`;
}

/** The shelves for everything that visits will use, with sizes that fit the use. */
function planShelves(visits: readonly Visit[]): Map<string, Shelf> {
  const demand = new Map<string, { visit: Visit; quantity: number }>();
  for (const visit of visits) {
    const key = shelfKey(visit);
    demand.set(key, { visit, quantity: (demand.get(key)?.quantity ?? 0) + visit.quantity });
  }
  return new Map([...demand].map(([key, { visit, quantity }]) => [key, emptyShelf(visit, quantity / HISTORY_DAYS)]));
}

function emptyShelf({ clinic, product, program }: Visit, dailyUse: number): Shelf {
  return {
    clinic,
    product,
    program,
    locationId: clinic.storage[product.medicine.storage],
    minimum: Math.ceil(dailyUse * RESERVE_DAYS),
    orderQuantity: Math.ceil((dailyUse * SUPPLY_DAYS) / product.usePerOrderUnit),
    items: [],
    isAwaited: false,
  };
}
