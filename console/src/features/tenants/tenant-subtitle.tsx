import type { Tenant } from '@apotheca/contract/tenants';

/** The tenant of a dialog: customer name and code. */
export function TenantSubtitle({ tenant }: { tenant: Tenant }) {
  return (
    <>
      {tenant.customerCode} · <span className="code">{tenant.code}</span>
    </>
  );
}
