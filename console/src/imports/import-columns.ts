import { FAQ_IMPORT_COLUMNS } from '@apotheca/contract/faq-import';
import type { ImportColumn } from '@apotheca/contract/imports';
import { TENANT_IMPORT_COLUMNS } from '@apotheca/contract/tenant-import';
import { USER_IMPORT_COLUMNS } from '@apotheca/contract/user-import';
import type { Imported } from '../api/imports.ts';

export const IMPORT_COLUMNS: Record<Imported, readonly ImportColumn[]> = {
  tenants: TENANT_IMPORT_COLUMNS,
  users: USER_IMPORT_COLUMNS,
  faqs: FAQ_IMPORT_COLUMNS,
};
