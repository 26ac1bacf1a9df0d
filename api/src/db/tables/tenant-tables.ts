import type { ExpiryStep } from '@apotheca/contract/tenant-access';
import type { TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import type { Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** Tenants, and what they are chosen from and counted by. */
export interface TenantTables {
  tenantStatuses: Named;
  emrs: Named;
  timezones: Timezones;
  tenants: Tenants;
  expiryNotices: ExpiryNotices;
  growthDays: GrowthDays;
}

interface Named {
  id: string;
  name: string;
  sortOrder: number;
}

interface Timezones {
  id: string;
  displayName: string;
  offsetMinutes: number;
}

/** With a column for each text that the contract limits. */
interface Tenants extends Record<Exclude<keyof typeof TENANT_LIMITS, 'databaseName'>, string> {
  id: string;
  timezoneId: string;
  tenantStatusId: string;
  /** YYYY-MM-DD */
  subscriptionStartDate: string;
  /** YYYY-MM-DD */
  subscriptionEndDate: string;
  /** YYYY-MM-DD; null: the end was not put off. */
  postponedTo: Generated<string | null>;
  licenseCount: number;
  isActive: boolean;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface ExpiryNotices {
  tenantId: string;
  /** YYYY-MM-DD */
  endsOn: string;
  step: ExpiryStep;
}

/** What there was at the end of a day. */
interface GrowthDays {
  /** YYYY-MM-DD in UTC. */
  day: string;
  tenants: number;
  users: number;
  /** A bigint, which the driver gives as text. */
  sizeBytes: string;
}
