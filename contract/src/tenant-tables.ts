/**
 * The tables of a tenant's database, in the groups, order and words of the purge's checklist (SPEC §3).
 * api/src/db/migrations/tenant makes the schema; a test compares the two.
 */
export const TENANT_TABLES = [
  { name: 'athena_extensions', group: 'Athena', label: 'extension' },
  { name: 'athena_overrides', group: 'Athena', label: 'override' },
  { name: 'athena_order_masters', group: 'Athena', label: 'order master' },
  { name: 'athena_ndc_whitelists', group: 'Athena', label: 'NDC whitelist' },
  { name: 'athena_order_originals', group: 'Athena', label: 'order original' },
  { name: 'athena_orders', group: 'Athena', label: 'order' },
  { name: 'athena_patients', group: 'Athena', label: 'patient' },
  { name: 'athena_persons', group: 'Athena', label: 'person' },
  { name: 'athena_statuses', group: 'Athena', label: 'status' },

  { name: 'inventory_counts', group: 'Inventory', label: 'count' },
  { name: 'inventory_count_histories', group: 'Inventory', label: 'count history' },
  { name: 'inventory_orders', group: 'Inventory', label: 'order' },
  { name: 'inventory_reorder_levels', group: 'Inventory', label: 'reorder level' },
  { name: 'inventory_transactions', group: 'Inventory', label: 'transaction' },

  { name: 'items', group: 'Others', label: 'items' },
  { name: 'item_histories', group: 'Others', label: 'item history' },
  { name: 'item_warning_masters', group: 'Others', label: 'item warning masters' },
  { name: 'locations', group: 'Others', label: 'locations' },
  { name: 'module_custom_fields', group: 'Others', label: 'module custom fields' },
  { name: 'ordering_product_masters', group: 'Others', label: 'ordering product masters' },
  { name: 'order_status_masters', group: 'Others', label: 'order status master' },
  { name: 'order_units', group: 'Others', label: 'order units' },
  { name: 'otps', group: 'Others', label: 'otps' },
  { name: 'patients', group: 'Others', label: 'patients' },
  { name: 'product_masters', group: 'Others', label: 'product masters' },
  { name: 'products', group: 'Others', label: 'products' },
  { name: 'purchase_orders', group: 'Others', label: 'purchase orders' },
  { name: 'rx_extension_multiple_barcodes', group: 'Others', label: 'rx extension multiple barcodes' },
  { name: 'shot_extensions', group: 'Others', label: 'shot extensions' },
  { name: 'shots', group: 'Others', label: 'shots' },
  { name: 'transactions', group: 'Others', label: 'transactions' },
  { name: 'trlogs', group: 'Others', label: 'trlogs' },
  { name: 'users', group: 'Others', label: 'users' },
  { name: 'units', group: 'Others', label: 'units' },
  { name: 'use_units', group: 'Others', label: 'use units' },
  { name: 'vendor_masters', group: 'Others', label: 'vendor masters' },
  { name: 'wslogs', group: 'Others', label: 'wslogs' },
] as const;

export type TenantTable = (typeof TENANT_TABLES)[number];
export type TenantTableName = TenantTable['name'];

const LABELS = new Map<string, string>(
  TENANT_TABLES.map(({ name, group, label }) => [name, group === 'Others' ? label : `${group} ${label}`]),
);

/** A table's name for people: 'Athena order'; a table that is not on the checklist keeps its name. */
export const labelOfTable = (name: string): string => LABELS.get(name) ?? name;

export const TENANT_TABLE_NAMES: readonly TenantTableName[] = TENANT_TABLES.map((table) => table.name);
