import { addDays, daysBetween, momentOn } from './dates.ts';
import { createPerson } from './people.ts';
import type { Clinic } from './practice.ts';
import { createRandom, type Random } from './random.ts';
import { ALLERGIES, FEMALE_NAMES, INSURANCE_PLANS, MALE_NAMES } from './words.ts';

/** How many days visits go back. Every patient is older than that. */
export const HISTORY_DAYS = 730;
const YOUNGEST_DAYS = 3 * 366;
const OLDEST_DAYS = 95 * 365;
const ADULT_DAYS = 18 * 366;

export type Patient = ReturnType<typeof createPatients>[number];

/** A social security number that nobody has: none starts with 9, and numbers of taxpayers have other middle groups. */
function createSsn(random: Random): string {
  return `9${random.digits(2)}-${random.integer(10, 49)}-${random.digits(4)}`;
}

export function isMinor(patient: { birth_date: string }, date: string): boolean {
  return daysBetween(patient.birth_date, date) < ADULT_DAYS;
}

/** Rows of `patients`. */
export function createPatients(seed: number, count: number, clinics: readonly Clinic[], today: string) {
  const random = createRandom(seed, 'patients');
  return Array.from({ length: count }, (_, index) => createPatient(random, index + 1, random.pick(clinics), today));
}

function createPatient(random: Random, id: number, clinic: Clinic, today: string) {
  const { phone, ...person } = createPerson(random);
  const birth_date = addDays(today, -random.integer(YOUNGEST_DAYS, OLDEST_DAYS));
  const minor = isMinor({ birth_date }, today);
  const guardian = minor ? createPerson(random) : null;
  const registered = momentOn(addDays(today, -HISTORY_DAYS - random.integer(0, 300)), random.integer(840, 1320));
  const areaCode = phone.slice(0, 3);
  return {
    id,
    medical_record_number: `MRN${String(100_000 + id)}`,
    ...person,
    middle_name: random.chance(0.3) ? random.pick(person.sex === 'female' ? FEMALE_NAMES : MALE_NAMES) : null,
    birth_date,
    ssn: random.chance(0.7) ? createSsn(random) : null,
    phone,
    mobile_phone: random.chance(0.6) ? `${areaCode}-555-01${random.digits(2)}` : null,
    fax: random.chance(0.05) ? `${areaCode}-555-01${random.digits(2)}` : null,
    email: random.chance(0.8) ? `${person.first_name}.${person.last_name}.${id}@mail.test`.toLowerCase() : null,
    insurance_plan: random.pick(INSURANCE_PLANS),
    insurance_member_id: `M${random.digits(9)}`,
    account_number: `A-${random.digits(8)}`,
    guardian_name: guardian && `${guardian.first_name} ${person.last_name}`,
    guardian_phone: guardian?.phone ?? null,
    vaccine_program: minor && random.chance(0.45) ? 'VFC' : 'private',
    preferred_location_id: clinic.id,
    allergies: random.chance(0.2) ? `Allergic to ${random.pick(ALLERGIES)}` : null,
    notes: random.chance(0.25) ? patientNote(random, person, guardian?.phone ?? phone) : null,
    is_active: true,
    deceased_on: id % 90 === 0 ? addDays(today, -random.integer(1, 20)) : null,
    created_at: registered,
    updated_at: registered,
  };
}

/** A note in free text, with names and numbers in it. */
function patientNote(random: Random, person: { first_name: string; last_name: string }, phone: string): string {
  return random.pick([
    `Prefers to be called ${person.first_name}; reach at ${phone} after 5 pm.`,
    `${person.first_name} ${person.last_name} asked for a copy of the immunization record.`,
    `Spoke with ${person.last_name} family at ${phone}, next dose due.`,
    'Faints easily, give lying down.',
  ]);
}
