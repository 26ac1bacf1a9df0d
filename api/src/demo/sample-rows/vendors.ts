import { createPerson } from './people.ts';
import { createRandom } from './random.ts';

const VENDORS = [
  { code: 'ALD', name: 'Aldgate Medical Supply', leadDays: 3 },
  { code: 'BRK', name: 'Brookline Drug Wholesale', leadDays: 2 },
  { code: 'CRN', name: 'Cornerstone Vaccines Direct', leadDays: 5 },
  { code: 'DLM', name: 'Delmar Specialty Pharmacy', leadDays: 4 },
  { code: 'EVG', name: 'Evergreen Practice Partners', leadDays: 6 },
];

export type Vendor = ReturnType<typeof createVendors>[number];

export function createVendors(seed: number) {
  const random = createRandom(seed, 'vendors');
  return VENDORS.map((vendor, index) => ({ id: index + 1, ...vendor, contact: createPerson(random) }));
}

/** Rows of `vendor_masters`. */
export function vendorRows(vendors: readonly Vendor[], createdAt: string) {
  return vendors.map(({ id, code, name, contact }) => ({
    id,
    code,
    name,
    account_number: `${code}-${4400 + id}`,
    contact_name: `${contact.first_name} ${contact.last_name}`,
    phone: contact.phone,
    fax: contact.phone.replace(/..$/, String(90 + id)),
    email: `${contact.first_name}.${contact.last_name}@${code}.test`.toLowerCase(),
    website: `https://www.${code.toLowerCase()}.test`,
    is_active: true,
    created_at: createdAt,
  }));
}
