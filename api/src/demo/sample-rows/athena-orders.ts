import type { Catalogue, Product } from './catalogue.ts';
import type { Chart } from './chart.ts';
import { addDays, minutesAfter, momentOn, usDate } from './dates.ts';
import type { Clinic } from './practice.ts';
import { createRandom } from './random.ts';
import type { Visit } from './visits.ts';

const STATUSES = [
  { code: 'REVIEW', name: 'In review', local_status: 'open' },
  { code: 'SUBMITTED', name: 'Submitted', local_status: 'open' },
  { code: 'PERFORMED', name: 'Performed', local_status: 'completed' },
  { code: 'CLOSED', name: 'Closed', local_status: 'completed' },
  { code: 'DECLINED', name: 'Declined', local_status: 'cancelled' },
  { code: 'DELETED', name: 'Deleted', local_status: 'cancelled' },
  { code: 'FAILED', name: 'Transmission failed', local_status: 'failed' },
];

export function athenaStatusRows() {
  return STATUSES.map((status, index) => ({ id: index + 1, ...status, is_active: true }));
}

function statusId(code: string): number {
  return STATUSES.findIndex((status) => status.code === code) + 1;
}

/** Rows of `athena_order_masters`, with the ids of `product_masters`. */
export function athenaOrderMasterRows({ productMasters }: Catalogue, syncedAt: string) {
  return productMasters.map(({ id, name, kind }) => ({
    id,
    product_master_id: id,
    external_id: String(80_000 + id),
    name: name.toUpperCase(),
    kind,
    is_active: true,
    synced_at: syncedAt,
  }));
}

/** Rows of `athena_ndc_whitelists`: all products, and one NDC that is allowed but not stocked. */
export function whitelistRows(
  seed: number,
  products: readonly Product[],
  clinics: readonly Clinic[],
  createdAt: string,
) {
  const [addedBy] = createRandom(seed, 'whitelist').pick(clinics).stockKeepers;
  const stocked = products.map(({ id, ndc }) => ({ product_id: id, ndc, reason: null }));
  const unstocked = { product_id: null, ndc: '99919-0001-01', reason: `Sample pack, agreed with ${addedBy.last_name}` };
  return [...stocked, unstocked].map((entry, index) => ({
    id: index + 1,
    ...entry,
    added_by_user_id: addedBy.id,
    is_active: true,
    created_at: createdAt,
  }));
}

/** An order of athenahealth: the one behind a visit, or one that still waits for its visit. */
export interface AthenaOrder {
  id: number;
  chart: Chart;
  visit: Visit;
  status: string;
  orderedAt: string;
}

/** The orders of the visits, then open ones for every eighth charted patient with a visit in the last half year. */
export function planAthenaOrders(
  visits: readonly Visit[],
  charts: ReadonlyMap<number, Chart>,
  today: string,
): AthenaOrder[] {
  const orders: AthenaOrder[] = [];
  for (const visit of visits) {
    const chart = charts.get(visit.patient.id);
    if (!chart || visit.athenaOrderId === null) continue;
    const status = visit.action === 'refused' ? 'DECLINED' : 'PERFORMED';
    orders.push({ id: visit.athenaOrderId, chart, visit, status, orderedAt: minutesAfter(visit.at, -15) });
  }
  const halfYearAgo = addDays(today, -180);
  for (const visit of visits) {
    const chart = charts.get(visit.patient.id);
    if (!chart || chart.id % 8 !== 1 || visit.date < halfYearAgo || visit.patient.deceased_on) continue;
    orders.push({
      id: orders.length + 1,
      chart,
      visit,
      status: 'SUBMITTED',
      orderedAt: momentOn(today, 700 + (chart.id % 600)),
    });
  }
  return orders;
}

/** Rows of `athena_orders`. */
export function* athenaOrderRows(orders: readonly AthenaOrder[]) {
  for (const order of orders) {
    const { id, chart, visit, status, orderedAt } = order;
    yield {
      id,
      athena_patient_id: chart.id,
      athena_order_master_id: visit.product.product_master_id,
      athena_status_id: statusId(status),
      external_id: externalId(order),
      ordering_provider: fullName(visit.prescriber),
      quantity: visit.quantity,
      instructions:
        id % 6 === 0 ? `For ${fullName(chart.patient)}: give today, then call ${chart.patient.phone}` : null,
      payload: payload(order, status),
      ordered_at: orderedAt,
      synced_at: minutesAfter(orderedAt, 5),
    };
  }
}

/** Rows of `athena_order_originals`: each order as it first came in. */
export function* athenaOrderOriginalRows(orders: readonly AthenaOrder[]) {
  for (const order of orders) {
    yield {
      id: order.id,
      athena_order_id: order.id,
      payload: payload(order, 'SUBMITTED'),
      received_at: order.orderedAt,
    };
  }
}

/** Rows of `athena_overrides`, for every twelfth order. */
export function* athenaOverrideRows(orders: readonly AthenaOrder[]) {
  for (const { id, chart, visit, orderedAt } of orders.filter((order) => order.id % 12 === 1)) {
    const isProduct = id % 24 === 1;
    yield {
      id: (id + 11) / 12,
      athena_order_id: id,
      product_id: isProduct ? visit.product.id : null,
      user_id: visit.nurse.id,
      field: isProduct ? 'product' : 'ordering provider',
      original_value: isProduct ? visit.product.medicine.name.toUpperCase() : 'UNKNOWN PROVIDER',
      override_value: isProduct ? visit.product.name : fullName(visit.prescriber),
      reason: `Agreed with ${fullName(visit.prescriber)} for ${fullName(chart.patient)}`,
      created_at: orderedAt,
    };
  }
}

/** Rows of `athena_extensions`: the diagnosis of every third order, with its author. */
export function* athenaExtensionRows(seed: number, orders: readonly AthenaOrder[]) {
  const random = createRandom(seed, 'athena extensions');
  for (const { id, visit, orderedAt } of orders.filter((order) => order.id % 3 === 1)) {
    yield {
      id: (id + 2) / 3,
      athena_order_id: id,
      name: 'diagnosis',
      value: { icd10: random.pick(['Z23', 'Z00.00', 'J02.9', 'R11.0']), statedby: fullName(visit.prescriber) },
      created_at: orderedAt,
    };
  }
}

function payload(order: AthenaOrder, status: string) {
  const { chart, visit, orderedAt } = order;
  return {
    orderid: externalId(order),
    patientid: chart.externalId,
    patientname: fullName(chart.patient),
    dob: usDate(chart.patient.birth_date),
    description: visit.product.medicine.name.toUpperCase(),
    ndc: visit.product.ndc,
    quantity: visit.quantity,
    orderingprovider: fullName(visit.prescriber),
    dateordered: usDate(orderedAt.slice(0, 10)),
    status,
  };
}

export function externalId({ id }: AthenaOrder): string {
  return String(7_000_000 + id);
}

function fullName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`;
}
