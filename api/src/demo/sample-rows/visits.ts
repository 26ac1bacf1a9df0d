import type { Catalogue, Product } from './catalogue.ts';
import { addDays, daysBetween, momentOn } from './dates.ts';
import { HISTORY_DAYS, isMinor, type Patient } from './patients.ts';
import type { Clinic } from './practice.ts';
import { createRandom, type Random } from './random.ts';

export type Visit = ReturnType<typeof planVisits>[number];

/**
 * Plans who gets what, when and where. The rows of charts, stock and care follow from this.
 * @returns the visits in order of time; those ordered by athenahealth have the order's id
 */
export function planVisits(
  seed: number,
  patients: readonly Patient[],
  clinics: readonly Clinic[],
  catalogue: Catalogue,
  today: string,
) {
  const random = createRandom(seed, 'visits');
  const choices = productsByAudience(catalogue.products);
  const clinicById = new Map(clinics.map((clinic) => [clinic.id, clinic]));

  const visits = patients.flatMap((patient) => {
    const clinic = clinicById.get(patient.preferred_location_id) ?? random.pick(clinics);
    return Array.from({ length: random.integer(1, 4) }, () => planVisit(random, patient, clinic, choices, today));
  });
  visits.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));

  const doses = new Map<string, number>();
  let orders = 0;
  return visits.map((visit) => {
    const course = `${visit.patient.id}/${visit.product.product_master_id}`;
    const doseNumber = (doses.get(course) ?? 0) + 1;
    doses.set(course, doseNumber);
    const ordered = hasChart(visit.patient) && random.chance(0.7);
    return { ...visit, doseNumber, athenaOrderId: ordered ? ++orders : null };
  });
}

/** Whether a patient is known to athenahealth, as nine of ten are. */
export function hasChart(patient: Patient): boolean {
  return patient.id % 10 !== 0;
}

function planVisit(
  random: Random,
  patient: Patient,
  clinic: Clinic,
  choices: ReturnType<typeof productsByAudience>,
  today: string,
) {
  const lastDay = patient.deceased_on ? addDays(patient.deceased_on, -1) : today;
  const date = addDays(lastDay, -random.integer(0, HISTORY_DAYS - daysBetween(lastDay, today) - 1));
  const product = random.pick(isMinor(patient, date) ? choices.minor : choices.adult);
  const { kind, route, taken } = product.medicine;
  const refused = kind === 'vaccine' && random.chance(0.03);
  const action = product.medicine.packing === 'bottle' ? 'dispensed' : refused ? 'refused' : 'administered';
  return {
    patient,
    clinic,
    product,
    date,
    at: momentOn(date, random.integer(840, 1310)),
    action,
    route,
    quantity: random.integer(...taken),
    program: kind === 'vaccine' && isMinor(patient, date) ? patient.vaccine_program : 'private',
    prescriber: random.pick(clinic.prescribers),
    nurse: random.pick(clinic.nurses),
  };
}

/** Vaccines count twice, as they are most of what a practice gives. */
function productsByAudience(products: readonly Product[]) {
  const weighted = products.flatMap((product) =>
    product.medicine.kind === 'vaccine' ? [product, product] : [product],
  );
  return {
    minor: weighted.filter(({ medicine }) => medicine.audience !== 'adult'),
    adult: weighted.filter(({ medicine }) => medicine.audience !== 'child'),
  };
}
