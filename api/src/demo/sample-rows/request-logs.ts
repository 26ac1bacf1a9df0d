import { createHash } from 'node:crypto';
import { type AthenaOrder, externalId } from './athena-orders.ts';
import type { Transaction, Use } from './care.ts';
import { addDays, momentOn } from './dates.ts';
import type { User } from './practice.ts';
import { createRandom } from './random.ts';

const ACTIONS = { administered: 'administer', dispensed: 'dispense', wasted: 'waste' } as const;

/** Rows of `trlogs`: each transaction as it was booked, and sometimes a refused scan before it. */
export function* transactionLogRows(seed: number, transactions: Iterable<Transaction>) {
  const random = createRandom(seed, 'trlogs');
  let id = 0;
  for (const { id: transactionId, kind, item_id, patient_id, user_id, quantity, occurred_at } of transactions) {
    const common = { user_id, logged_at: occurred_at, duration_ms: random.integer(12, 380) };
    const detail = { item: item_id, patient: patient_id, quantity };
    if (transactionId % 25 === 1) {
      id += 1;
      yield {
        id,
        transaction_id: null,
        ...common,
        action: 'scan',
        outcome: 'refused',
        message: 'Lot is not in this room',
        detail,
      };
    }
    id += 1;
    yield {
      id,
      transaction_id: transactionId,
      ...common,
      action: ACTIONS[kind],
      outcome: 'succeeded',
      message: null,
      detail,
    };
  }
}

/** Rows of `wslogs`: orders from athenahealth, vaccines reported to the registry, synchronizations of handhelds. */
export function* webServiceLogRows(
  seed: number,
  orders: readonly AthenaOrder[],
  uses: readonly Use[],
  users: readonly User[],
  today: string,
) {
  const random = createRandom(seed, 'wslogs');
  let id = 0;
  for (const request of [...fetches(orders), ...reports(uses), ...synchronisations(users, today)]) {
    id += 1;
    const failed = id % 40 === 1;
    yield {
      id,
      correlation_id: uuidOf(`${seed}/${id}`),
      ...request,
      status_code: failed ? null : 200,
      response: failed ? null : request.response,
      error: failed ? `No answer from ${request.url} within 10 s` : null,
      duration_ms: failed ? 10_000 : random.integer(20, 900),
    };
  }
}

function* fetches(orders: readonly AthenaOrder[]) {
  for (const order of orders.filter(({ id }) => id % 2 === 1)) {
    yield {
      user_id: null,
      direction: 'outbound',
      service: 'athena',
      method: 'GET',
      url: `https://athena.test/v1/1/chart/${order.chart.externalId}/orders/${externalId(order)}`,
      request: null,
      response: {
        orderid: externalId(order),
        patientname: `${order.chart.patient.first_name} ${order.chart.patient.last_name}`,
      },
      client_address: null,
      logged_at: order.orderedAt,
    };
  }
}

function* reports(uses: readonly Use[]) {
  for (const { visit, movement, shotId } of uses) {
    if (shotId === null || shotId % 3 !== 1 || movement === null || visit.product.medicine.kind !== 'vaccine') continue;
    const { patient, product, nurse } = visit;
    yield {
      user_id: nurse.id,
      direction: 'outbound',
      service: 'immunization registry',
      method: 'POST',
      url: `https://registry.test/vaccinations?mrn=${patient.medical_record_number}`,
      request: {
        name: `${patient.last_name}, ${patient.first_name}`,
        birthDate: patient.birth_date,
        cvx: product.medicine.cvxCode,
      },
      response: { accepted: true },
      client_address: null,
      logged_at: movement.occurred_at,
    };
  }
}

function* synchronisations(users: readonly User[], today: string) {
  for (const user of users) {
    yield {
      user_id: user.id,
      direction: 'inbound',
      service: 'handheld',
      method: 'POST',
      url: '/handheld/synchronise',
      request: { user: user.user_name },
      response: { changes: user.id % 7 },
      client_address: `192.0.2.${user.id % 250}`,
      logged_at: momentOn(addDays(today, -(user.id % 30) - 1), 835),
    };
  }
}

/** A version 8 UUID (RFC 9562) that is the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
