import type { Tenant } from '@apotheca/contract/tenants';

/** Which dialog of the tenants page is open, and for which row. */
export type TenantDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'edit' | 'view' | 'manage' | 'duplicate' | 'delete'; tenant: Tenant };
