import type { RoleName } from '@apotheca/contract/permission-catalogue';

interface DemoUser {
  userName: string;
  email: string;
  fName: string;
  lName: string;
  mi: string;
  title: string;
  phone: string;
  notes: string;
  clinicalRoleId: string;
  role: RoleName;
  isActive: boolean;
  hasPassword: boolean;
}

const person = (
  [fName, lName]: [string, string],
  title: string,
  clinicalRoleId: string,
  role: RoleName,
  fields: Partial<DemoUser> = {},
): DemoUser => ({
  userName: fName.toLowerCase(),
  email: `${fName}.${lName}@apotheca.example`.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''),
  fName,
  lName,
  mi: '',
  title,
  phone: '',
  notes: '',
  clinicalRoleId,
  role,
  isActive: true,
  hasPassword: true,
  ...fields,
});

/**
 * The one administrator among them is inactive: nobody knows the password, so the user must not count as an administrator who can
 * sign in.
 */
export const DEMO_USERS: DemoUser[] = [
  person(['Amara', 'Okafor'], 'PharmD', 'pharmacist', 'Administrator', { isActive: false, notes: 'On leave' }),
  person(['Daniel', 'Reyes'], 'PharmD', 'pharmacist', 'Operator', { mi: 'J', phone: '(312) 555-0118' }),
  person(['Ingrid', 'Solberg'], 'CPhT', 'pharmacy-technician', 'Operator', { phone: '(312) 555-0126' }),
  person(['Wei', 'Zhang'], 'MD', 'physician', 'Operator', { hasPassword: false, notes: 'Starts next month' }),
  person(['Claire', 'Dubois'], 'NP', 'nurse-practitioner', 'Viewer', { phone: '(312) 555-0187' }),
  person(['Marcus', 'Bell'], 'RN', 'registered-nurse', 'Viewer', { isActive: false, notes: 'Left the practice' }),
  person(['Leila', 'Farahani'], 'PA-C', 'physician-assistant', 'Viewer', { mi: 'S' }),
  person(['Joaquín', 'Vega'], 'Front desk', 'front-desk', 'Viewer', { userName: '' }),
];
