import type { Tenant } from '@apotheca/contract/tenants';

/** The open dialog of the tenants page, and its row. */
export type TenantDialog =
  | { kind: 'none' }
  | { kind: 'create' | 'import' }
  | { kind: 'edit' | 'view' | 'manage' | 'duplicate' | 'delete'; tenant: Tenant };
