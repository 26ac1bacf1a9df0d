import type { Generated } from 'kysely';
import type { Timestamp } from './timestamps.ts';

export interface Named {
  id: string;
  name: string;
  sortOrder: number;
}

export interface Timezones {
  id: string;
  displayName: string;
  offsetMinutes: number;
}

export interface Tenants {
  id: string;
  code: string;
  customerCode: string;
  name: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  addressLine1: string;
  addressLine2: string;
  addressLine3: string;
  city: string;
  state: string;
  zipCode: string;
  emrId: string;
  timezoneId: string;
  tenantStatusId: string;
  tenantVersion: string;
  tenantApiUrl: string;
  configuration: string;
  subdomain: string;
  logoUrl: string;
  colorScheme: string;
  subscriptionLevel: string;
  /** YYYY-MM-DD */
  subscriptionStartDate: string;
  /** YYYY-MM-DD */
  subscriptionEndDate: string;
  licenseCount: number;
  isActive: boolean;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}
