import { createHash } from 'node:crypto';
import { addDays, momentOn } from './dates.ts';
import type { Storage } from './medicines.ts';
import { createPerson } from './people.ts';
import { createRandom, type Random } from './random.ts';

const COLD = { minimum_temperature: 2, maximum_temperature: 8 };
const FROZEN = { minimum_temperature: -50, maximum_temperature: -15 };
const ANY_TEMPERATURE = { minimum_temperature: null, maximum_temperature: null };

const PRESCRIBERS = ['Physician', 'Physician', 'Nurse Practitioner', 'Physician Assistant'];
const NURSES = ['Registered Nurse', 'Registered Nurse', 'Registered Nurse', 'Medical Assistant'];
const UNLICENSED = ['Medical Assistant', 'Front Desk'];

export type Clinic = ReturnType<typeof createPractice>['clinics'][number];
export type User = ReturnType<typeof createPractice>['users'][number];

/** The clinics with their locations and staff, and the rows of `locations` and `users`. */
export function createPractice(seed: number, clinicCount: number, today: string) {
  const random = createRandom(seed, 'practice');
  const locations: ReturnType<typeof location>[] = [];
  const users: ReturnType<typeof employee>[] = [];

  function open(number: number) {
    const clinic = location(
      locations.length + 1,
      null,
      `C${number}`,
      `Clinic ${number}`,
      'clinic',
      ANY_TEMPERATURE,
      today,
    );
    locations.push(clinic);

    function addPlace(kind: string, name: string, temperatures: Temperatures = ANY_TEMPERATURE): number {
      const id = locations.length + 1;
      locations.push(location(id, clinic.id, `C${number}-${id - clinic.id}`, name, kind, temperatures, today));
      return id;
    }
    function hire(clinicalRole: string) {
      const user = employee(random, users.length + 1, clinicalRole, clinic.id, today);
      users.push(user);
      return user;
    }

    const storage: Record<Storage, number> = {
      room: addPlace('cabinet', 'Medication cabinet'),
      refrigerated: addPlace('refrigerator', 'Vaccine refrigerator', COLD),
      frozen: addPlace('freezer', 'Vaccine freezer', FROZEN),
    };
    return {
      id: clinic.id,
      rooms: [addPlace('room', 'Exam room 1'), addPlace('room', 'Exam room 2')],
      storage,
      prescribers: PRESCRIBERS.map(hire),
      nurses: NURSES.map(hire),
      stockKeepers: [hire('Pharmacist'), hire('Pharmacy Technician')] as const,
      frontDesk: hire('Front Desk'),
    };
  }

  const clinics = Array.from({ length: clinicCount }, (_, index) => open(index + 1));
  return { clinics, locations, users };
}

interface Temperatures {
  minimum_temperature: number | null;
  maximum_temperature: number | null;
}

function location(
  id: number,
  parentId: number | null,
  code: string,
  name: string,
  kind: string,
  temperatures: Temperatures,
  today: string,
) {
  const created_at = momentOn(addDays(today, -2000), 840);
  return { id, parent_location_id: parentId, code, name, kind, ...temperatures, is_active: true, created_at };
}

function employee(random: Random, id: number, clinicalRole: string, clinicId: number, today: string) {
  const { first_name, last_name, phone } = createPerson(random);
  const user_name = `${first_name.charAt(0)}${last_name}${id}`.toLowerCase();
  const hiredOn = addDays(today, -random.integer(800, 1900));
  return {
    id,
    user_name,
    first_name,
    last_name,
    email: `${user_name}@practice.test`,
    phone,
    clinical_role: clinicalRole,
    licence_number: UNLICENSED.includes(clinicalRole) ? null : `LIC-${random.digits(7)}`,
    home_location_id: clinicId,
    is_active: true,
    last_seen_at: momentOn(addDays(today, -random.integer(1, 30)), random.integer(840, 1320)),
    created_at: momentOn(hiredOn, 840),
    updated_at: momentOn(hiredOn, 900),
  };
}

/** Rows of `otps`, two codes for each user: one used, one expired. */
export function* otpRows(seed: number, users: readonly User[], today: string) {
  const random = createRandom(seed, 'otps');
  for (const user of users) {
    for (const used of [true, false]) {
      const date = addDays(today, -random.integer(1, 60));
      const minute = random.integer(840, 1300);
      yield {
        id: user.id * 2 - (used ? 1 : 0),
        user_id: user.id,
        purpose: random.pick(['sign-in', 'sign-in', 'password reset', 'controlled substance']),
        channel: random.pick(['email', 'text message']),
        code_hash: createHash('sha256').update(random.digits(16)).digest('hex'),
        attempts: used ? 1 : random.integer(0, 5),
        expires_at: momentOn(date, minute + 10),
        used_at: used ? momentOn(date, minute + random.integer(1, 9)) : null,
        created_at: momentOn(date, minute),
      };
    }
  }
}

const CUSTOM_FIELDS = [
  { module: 'MedicationModule', field_name: 'funding_note', label: 'Funding note', data_type: 'text', choices: [] },
  {
    module: 'MedicationModule',
    field_name: 'needle_gauge',
    label: 'Needle gauge',
    data_type: 'choice',
    choices: ['22', '23', '25'],
  },
  {
    module: 'MedicationModule',
    field_name: 'observed_minutes',
    label: 'Minutes observed',
    data_type: 'number',
    choices: [],
  },
  {
    module: 'PatientModule',
    field_name: 'interpreter_needed',
    label: 'Interpreter needed',
    data_type: 'boolean',
    choices: [],
  },
  { module: 'PatientModule', field_name: 'next_recall', label: 'Next recall', data_type: 'date', choices: [] },
  { module: 'InventoryModule', field_name: 'shelf', label: 'Shelf', data_type: 'text', choices: [] },
];

export function customFieldRows(today: string) {
  const created_at = momentOn(addDays(today, -900), 900);
  return CUSTOM_FIELDS.map((field, index) => ({
    id: index + 1,
    ...field,
    is_required: false,
    sort_order: index + 1,
    is_active: true,
    created_at,
  }));
}
