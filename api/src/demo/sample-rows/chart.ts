import { addDays, momentOn, usDate } from './dates.ts';
import type { Patient } from './patients.ts';
import { createPerson } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { hasChart } from './visits.ts';

/** A patient's chart at athenahealth, with one id in `athena_persons` and `athena_patients`. */
export interface Chart {
  id: number;
  patient: Patient;
  externalId: string;
}

export function createCharts(patients: readonly Patient[]): Map<number, Chart> {
  const charted = patients.filter(hasChart);
  return new Map(
    charted.map((patient, index) => [patient.id, { id: index + 1, patient, externalId: String(500_001 + index) }]),
  );
}

/** Rows of `athena_persons`: the patients with charts, the guarantors of minors, and one unknown person. */
export function* athenaPersonRows(seed: number, charts: ReadonlyMap<number, Chart>, today: string) {
  const random = createRandom(seed, 'athena persons');
  let id = 0;
  for (const { patient, externalId } of charts.values()) {
    id += 1;
    yield personRow(id, `P${externalId}`, patient, synced(random, today));
  }
  for (const { patient, externalId } of charts.values()) {
    if (patient.guardian_name === null) continue;
    const [first_name = '', last_name = ''] = patient.guardian_name.split(' ');
    const guarantor = { ...patient, first_name, last_name, birth_date: null, sex: 'unknown', ssn: null, email: null };
    id += 1;
    yield personRow(
      id,
      `G${externalId}`,
      { ...guarantor, phone: patient.guardian_phone ?? patient.phone },
      synced(random, today),
    );
  }
  const stranger = { ...createPerson(random), birth_date: null, ssn: null, email: null };
  yield personRow(id + 1, 'P499999', stranger, synced(random, today));
}

type Person = Pick<
  Patient,
  'first_name' | 'last_name' | 'sex' | 'phone' | 'ssn' | 'email' | 'address_line' | 'city' | 'state' | 'postal_code'
> & { birth_date: string | null };

function personRow(id: number, externalId: string, person: Person, synced_at: string) {
  const { first_name, last_name, birth_date, sex, ssn, phone, email, address_line, city, state, postal_code } = person;
  return {
    id,
    external_id: externalId,
    first_name,
    last_name,
    birth_date,
    sex,
    ssn,
    phone,
    email,
    address_line,
    city,
    state,
    postal_code,
    payload: {
      personid: externalId,
      firstname: first_name,
      lastname: last_name,
      dob: birth_date && usDate(birth_date),
      ssn,
      homephone: phone,
      email,
      address1: address_line,
      city,
      state,
      zip: postal_code,
    },
    synced_at,
  };
}

/** Rows of `athena_patients`: the charts, and last that of the unknown person, which matches no patient. */
export function* athenaPatientRows(
  seed: number,
  charts: ReadonlyMap<number, Chart>,
  personCount: number,
  today: string,
) {
  const random = createRandom(seed, 'athena patients');
  for (const { id, patient, externalId } of charts.values()) {
    yield {
      id,
      athena_person_id: id,
      patient_id: patient.id,
      external_id: externalId,
      medical_record_number: patient.medical_record_number,
      insurance_member_id: patient.insurance_member_id,
      department: `Department ${patient.preferred_location_id}`,
      match_status: random.chance(0.6) ? 'confirmed' : 'matched',
      payload: {
        patientid: externalId,
        mrn: patient.medical_record_number,
        insuranceidnumber: patient.insurance_member_id,
        guarantorname: patient.guardian_name ?? `${patient.first_name} ${patient.last_name}`,
        primarydepartmentid: String(patient.preferred_location_id),
      },
      synced_at: synced(random, today),
    };
  }
  yield {
    id: charts.size + 1,
    athena_person_id: personCount,
    patient_id: null,
    external_id: '499999',
    medical_record_number: null,
    insurance_member_id: null,
    department: 'Department 1',
    match_status: 'unmatched',
    payload: { patientid: '499999' },
    synced_at: synced(random, today),
  };
}

function synced(random: Random, today: string): string {
  return momentOn(addDays(today, -random.integer(1, 14)), random.integer(0, 1300));
}
