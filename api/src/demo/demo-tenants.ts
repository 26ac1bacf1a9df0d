import { type TenantFields, tenantForm } from '@apotheca/contract/tenant-form';

interface Demo {
  code: string;
  customer: string;
  contact: [string, string];
  city: string;
  state: string;
  zip: string;
  phone: string;
  timezoneId: string;
  emrId: string;
  status: string;
  /** Days from the first start to the end of the subscription. */
  endsInDays: number;
  isActive?: boolean;
}

const DEMOS: Demo[] = [
  {
    code: 'CEDARVA',
    customer: 'Cedar Valley Allergy',
    contact: ['Maya', 'Ortiz'],
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    phone: '(217) 555-0142',
    timezoneId: 'America/Chicago',
    emrId: 'athenahealth',
    status: 'live',
    endsInDays: 114,
  },
  {
    code: 'HARBORPED',
    customer: 'Harbor Pediatrics',
    contact: ['Jonas', 'Lindqvist'],
    city: 'Portland',
    state: 'ME',
    zip: '04101',
    phone: '(207) 555-0177',
    timezoneId: 'America/New_York',
    emrId: 'epic',
    status: 'live',
    endsInDays: -8,
  },
  {
    code: 'JUNIPERFM',
    customer: 'Juniper Family Medicine',
    contact: ['Priya', 'Raman'],
    city: 'Bend',
    state: 'OR',
    zip: '97701',
    phone: '(503) 555-0110',
    timezoneId: 'America/Los_Angeles',
    emrId: 'eclinicalworks',
    status: 'onboarding',
    endsInDays: 19,
  },
  {
    code: 'LAKESIDE',
    customer: 'Lakeside Immunization',
    contact: ['Tomás', 'Herrera'],
    city: 'Green Bay',
    state: 'WI',
    zip: '54301',
    phone: '(920) 555-0163',
    timezoneId: 'America/Chicago',
    emrId: 'athenahealth',
    status: 'live',
    endsInDays: 254,
  },
  {
    code: 'MERIDIAN',
    customer: 'Meridian ENT & Allergy',
    contact: ['Hanna', 'Kovács'],
    city: 'Meridian',
    state: 'ID',
    zip: '83642',
    phone: '(208) 555-0101',
    timezoneId: 'America/Boise',
    emrId: 'nextgen',
    status: 'suspended',
    endsInDays: -51,
    isActive: false,
  },
  {
    code: 'NORTHGATE',
    customer: 'Northgate Travel Clinic',
    contact: ['Samir', 'Haddad'],
    city: 'Seattle',
    state: 'WA',
    zip: '98125',
    phone: '(206) 555-0198',
    timezoneId: 'America/Los_Angeles',
    emrId: 'none',
    status: 'live',
    endsInDays: 61,
  },
];

/** The tenants of the demo, as the form sends them. */
export const DEMO_TENANTS: (TenantFields & { endsInDays: number })[] = DEMOS.map((demo) => {
  const [firstName, lastName] = demo.contact;
  const fields = tenantForm.parse({
    code: demo.code,
    databaseName: demo.code,
    customerCode: demo.customer,
    firstName,
    lastName,
    email: `${firstName}.${lastName}@${demo.code}.test`.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''),
    phone: demo.phone,
    addressLine1: '100 Main Street',
    city: demo.city,
    state: demo.state,
    zipCode: demo.zip,
    emrId: demo.emrId,
    timezoneId: demo.timezoneId,
    tenantStatusId: demo.status,
    licenseCount: 25,
    isActive: demo.isActive ?? true,
  });
  return { ...fields, endsInDays: demo.endsInDays };
});
