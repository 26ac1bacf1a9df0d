import { addDays, minutesAfter, momentOn } from './dates.ts';
import type { Movement } from './ledger.ts';
import type { Clinic } from './practice.ts';
import { createRandom } from './random.ts';
import type { Visit } from './visits.ts';

/** Minutes after midnight UTC. */
const END_OF_DAY = 1380;

/** A visit and what it took from stock; a refused vaccine took nothing. */
export interface Use {
  visit: Visit;
  movement: Movement | null;
  /** The shot that was given or refused; null for dispensed medication. */
  shotId: number | null;
}

/** Rows of `shots`. */
export function* shotRows(seed: number, uses: readonly Use[]) {
  const random = createRandom(seed, 'shots');
  for (const { visit, movement, shotId } of uses) {
    if (shotId === null) continue;
    const { patient, product, clinic, route } = visit;
    const given = movement !== null;
    yield {
      id: shotId,
      patient_id: patient.id,
      item_id: movement?.item_id ?? null,
      product_master_id: product.product_master_id,
      location_id: random.pick(clinic.rooms),
      athena_order_id: visit.athenaOrderId,
      ordered_by_user_id: visit.prescriber.id,
      recorded_by_user_id: visit.nurse.id,
      status: given ? 'given' : 'refused',
      dose_number: visit.doseNumber,
      quantity: visit.quantity,
      route,
      site: random.pick(sitesOf(route)),
      note: given ? null : `${patient.first_name} ${patient.last_name} would rather wait`,
      administered_at: visit.at,
      created_at: minutesAfter(visit.at, random.integer(0, 5)),
    };
  }
}

function sitesOf(route: string): string[] {
  if (route === 'intranasal') return ['nose'];
  if (route === 'inhalation') return ['mouth'];
  if (route === 'intradermal' || route === 'intravenous') return ['left forearm', 'right forearm'];
  if (route === 'subcutaneous') return ['left thigh', 'right thigh'];
  return ['left deltoid', 'left deltoid', 'right deltoid', 'left gluteal', 'right gluteal'];
}

/** Rows of `shot_extensions`, one for each vaccine given or refused. */
export function* shotExtensionRows(seed: number, uses: readonly Use[], today: string) {
  const random = createRandom(seed, 'shot extensions');
  let id = 0;
  for (const { visit, movement, shotId } of uses) {
    if (shotId === null || visit.product.medicine.kind !== 'vaccine') continue;
    const { patient } = visit;
    const registry = registryReport(visit, movement !== null, today);
    id += 1;
    yield {
      id,
      shot_id: shotId,
      statement_edition: addDays(`${visit.date.slice(0, 4)}-01-01`, -153),
      statement_given_on: visit.date,
      consent_given_by: patient.guardian_name ?? `${patient.first_name} ${patient.last_name}`,
      ...registry,
      reaction: random.chance(0.04)
        ? `${patient.first_name} felt faint; ${visit.nurse.last_name} observed for 30 minutes`
        : null,
      custom_values: random.chance(0.5) ? { needle_gauge: random.pick(['22', '23', '25']), observed_minutes: 15 } : {},
    };
  }
}

/** When a vaccine is reported to the registry: in the evening of its day, so today's are not reported yet. */
function registryReport(visit: Visit, given: boolean, today: string) {
  if (!given) return { registry_status: 'not due', registry_submitted_at: null };
  if (visit.date === today) return { registry_status: 'pending', registry_submitted_at: null };
  const rejected = visit.patient.id % 50 === 0;
  return {
    registry_status: rejected ? 'rejected' : 'submitted',
    registry_submitted_at: momentOn(visit.date, END_OF_DAY),
  };
}

type TransactionKind = 'administered' | 'dispensed' | 'wasted';
export type Transaction = ReturnType<typeof transactionRows> extends Generator<infer Row> ? Row : never;

/** Rows of `transactions`: one for each use and each waste in the ledger. */
export function* transactionRows(
  seed: number,
  movements: readonly Movement[],
  uses: readonly Use[],
  clinicOf: (locationId: number) => Clinic,
) {
  const random = createRandom(seed, 'transactions');
  const useOf = new Map(uses.flatMap((use) => (use.movement ? [[use.movement.id, use] as const] : [])));
  let id = 0;
  for (const movement of movements) {
    if (movement.kind !== 'use' && movement.kind !== 'waste') continue;
    const use = useOf.get(movement.id);
    const witnesses = clinicOf(movement.location_id).nurses.filter((nurse) => nurse.id !== movement.user_id);
    const kind: TransactionKind = use === undefined ? 'wasted' : use.shotId === null ? 'dispensed' : 'administered';
    id += 1;
    yield {
      id,
      kind,
      item_id: movement.item_id,
      inventory_transaction_id: movement.id,
      shot_id: use?.shotId ?? null,
      patient_id: use?.visit.patient.id ?? null,
      location_id: movement.location_id,
      user_id: movement.user_id,
      witness_user_id: use ? null : random.pick(witnesses).id,
      quantity: -movement.quantity,
      amount: use ? Math.round(use.visit.product.price * use.visit.quantity * 100) / 100 : 0,
      note:
        use && random.chance(0.03)
          ? `Billed to ${use.visit.patient.first_name} ${use.visit.patient.last_name}`
          : movement.note,
      occurred_at: movement.occurred_at,
    };
  }
}
