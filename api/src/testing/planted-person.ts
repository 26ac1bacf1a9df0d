import type pg from 'pg';

/** Values of one person that the tests write everywhere. Each can be found by a search for a part of a text. */
export const PLANTED = {
  first: 'Zbigniewa',
  middle: 'Kunegunda',
  last: 'Brzęczyszczykiewicz',
  ssn: '901-23-4567',
  phone: '(425) 555-0187',
  mobile: '+1 425 555 0199',
  fax: '425.555.0166',
  email: 'Zbig.B@Chrzaszcz.example',
  street: '17 Łękołody Lane',
  city: 'Szczebrzeszyn',
  postal: '98765-4321',
  member: 'WQX-77120045',
  account: 'ACC/551-2290',
  record: 'MRN-0099887',
  licence: 'RN60551234',
  external: '88120077',
  address: '198.51.100.77',
  url: 'https://athena.test/v1/1/chart/88120077?ssn=901-23-4567',
  user: 'zbigniewa.b77',
};

/** Writes the planted person into one row of every table that can hold one, in columns, free text and JSON. */
export async function plant(client: pg.Client): Promise<void> {
  const p = PLANTED;
  const full = `${p.first} ${p.last}`;
  const text = `Call ${full} (${Object.values(p).join('; ')})`;
  const json = JSON.stringify({ a: [{ b: { c: [text, { [p.email]: p.ssn }] } }], ...p });
  const update = (table: string, values: Record<string, string>) =>
    client.query(
      `update ${table} set ${Object.keys(values).map((column, index) => `${column} = $${index + 1}`)}
       where id = (select max(id) from ${table})`,
      Object.values(values),
    );
  await update('users', {
    ...{ user_name: p.user, first_name: p.first, last_name: p.last, email: p.email, phone: p.phone },
    licence_number: p.licence,
  });
  await update('patients', {
    ...{ medical_record_number: p.record, first_name: p.first.toUpperCase(), middle_name: p.middle, last_name: p.last },
    ...{ ssn: p.ssn, phone: p.phone, mobile_phone: p.mobile, fax: p.fax, email: p.email, address_line: p.street },
    ...{ city: p.city, postal_code: p.postal, insurance_member_id: p.member, account_number: p.account },
    ...{ guardian_name: `${p.last}, ${p.first}`, guardian_phone: p.phone, allergies: text, notes: text },
    ...{ birth_date: '1971-03-09', deceased_on: '1971-03-09' },
  });
  await update('athena_persons', {
    ...{ external_id: p.external, first_name: p.first, last_name: p.last, ssn: p.ssn, phone: '425-555-0187' },
    ...{ email: p.email, address_line: p.street, city: p.city, postal_code: p.postal, payload: json },
  });
  await update('athena_patients', { medical_record_number: p.record, insurance_member_id: p.member, payload: json });
  await update('athena_orders', { ordering_provider: `Dr. ${full}`, instructions: text, payload: json });
  await update('athena_order_originals', { payload: json });
  await update('athena_overrides', { original_value: text, override_value: full, reason: text });
  await update('athena_extensions', { value: JSON.stringify(text) });
  await update('athena_ndc_whitelists', { reason: text });
  await update('vendor_masters', { contact_name: full, phone: p.phone, fax: p.fax, email: `sales.${p.email}` });
  for (const table of ['purchase_orders', 'inventory_orders', 'item_histories', 'inventory_counts']) {
    await update(table, { note: text });
  }
  await update('inventory_count_histories', { reason: text });
  await update('inventory_transactions', { note: text });
  await update('shots', { note: text });
  await update('shot_extensions', {
    ...{ consent_given_by: full, reaction: text, custom_values: json },
    ...{ statement_edition: '2020-12-31', statement_given_on: '2020-12-31' },
  });
  await update('transactions', { note: text });
  await update('trlogs', { message: text, detail: json });
  await update('wslogs', { url: p.url, error: text, client_address: p.address, request: json, response: `[${json}]` });
}
