import { addDays, momentOn } from './dates.ts';
import { orderUnitPrice } from './product-details.ts';
import type { Order, Shelf } from './stockroom.ts';

const STATUSES = [
  { code: 'requested', name: 'Requested', is_final: false },
  { code: 'approved', name: 'Approved', is_final: false },
  { code: 'ordered', name: 'Ordered', is_final: false },
  { code: 'partial', name: 'Partially received', is_final: false },
  { code: 'received', name: 'Received', is_final: true },
  { code: 'cancelled', name: 'Cancelled', is_final: true },
];

export function orderStatusRows() {
  return STATUSES.map((status, index) => ({ id: index + 1, ...status, sort_order: index + 1, is_active: true }));
}

/** Rows of `inventory_orders`, what the shelves needed, and of `purchase_orders`, what was ordered from vendors. */
export function purchasingRows(orders: readonly Order[], today: string) {
  const byVendorAndDay = new Map<string, Order[]>();
  for (const order of orders.filter(({ orderedOn }) => orderedOn <= today)) {
    const key = `${order.orderedOn}/${order.shelf.product.vendor.id}/${order.shelf.clinic.id}`;
    const together = byVendorAndDay.get(key);
    if (together) together.push(order);
    else byVendorAndDay.set(key, [order]);
  }

  const purchaseIds = new Map<Order, number>();
  const purchaseOrders = [...byVendorAndDay.values()].flatMap((together, index) => {
    for (const order of together) purchaseIds.set(order, index + 1);
    return together[0] ? [purchaseOrder(index + 1, together[0], together, today)] : [];
  });
  const inventoryOrders = orders.map((order) => inventoryOrder(order, purchaseIds.get(order) ?? null, today));
  return { purchaseOrders, inventoryOrders };
}

/** One purchase order: what is ordered from one vendor on one day arrives on one day. */
function purchaseOrder(id: number, first: Order, together: readonly Order[], today: string) {
  const subtotal = together.reduce((cents, { shelf }) => cents + Math.round(linePrice(shelf) * 100), 0) / 100;
  const shipping = subtotal < 500 ? 15 : 0;
  return {
    id,
    number: `PO-${String(10_000 + id)}`,
    vendor_master_id: first.shelf.product.vendor.id,
    order_status_master_id: statusId(first, today),
    location_id: first.shelf.clinic.id,
    ordered_by_user_id: first.requestedBy.id,
    ordered_on: first.orderedOn,
    expected_on: first.deliveredOn,
    received_on: first.deliveredOn <= today ? first.deliveredOn : null,
    subtotal,
    shipping,
    total: Math.round((subtotal + shipping) * 100) / 100,
    note: id % 15 === 0 ? `Confirmed by ${first.shelf.product.vendor.contact.first_name} on the phone` : null,
    created_at: momentOn(first.orderedOn, 600),
  };
}

function inventoryOrder(order: Order, purchaseOrderId: number | null, today: string) {
  const { id, shelf, requestedBy, requestedOn } = order;
  return {
    id,
    product_id: shelf.product.id,
    location_id: shelf.locationId,
    order_unit_id: shelf.product.order_unit_id,
    order_status_master_id: statusId(order, today),
    purchase_order_id: purchaseOrderId,
    requested_by_user_id: requestedBy.id,
    quantity: shelf.orderQuantity,
    price: orderUnitPrice(shelf.product),
    requested_at: momentOn(requestedOn, 590),
    needed_by: addDays(order.orderedOn, 14),
    note: null,
  };
}

function statusId({ orderedOn, deliveredOn }: Order, today: string): number {
  const code = deliveredOn <= today ? 'received' : orderedOn <= today ? 'ordered' : 'requested';
  return STATUSES.findIndex((status) => status.code === code) + 1;
}

function linePrice({ product, orderQuantity }: Shelf): number {
  return orderUnitPrice(product) * orderQuantity;
}

/** Rows of `inventory_reorder_levels`; all programs of a product share one location and one level. */
export function reorderLevelRows(shelves: readonly Shelf[], updatedAt: string) {
  const levels = new Map<
    string,
    { product_id: number; location_id: number; minimum_quantity: number; maximum_quantity: number }
  >();
  for (const { product, locationId, minimum, orderQuantity } of shelves) {
    const key = `${product.id}/${locationId}`;
    const level = levels.get(key) ?? {
      product_id: product.id,
      location_id: locationId,
      minimum_quantity: 0,
      maximum_quantity: 0,
    };
    level.minimum_quantity += minimum;
    level.maximum_quantity += minimum + orderQuantity * product.usePerOrderUnit;
    levels.set(key, level);
  }
  return [...levels.values()].map((level, index) => ({
    id: index + 1,
    ...level,
    is_active: true,
    updated_at: updatedAt,
  }));
}
