import type { Tenant } from '@apotheca/contract/tenants';

/** Names the record that a dialog is about: customer name and tenant code. */
export function TenantSubtitle({ tenant }: { tenant: Tenant }) {
  return (
    <>
      {tenant.customerCode} · <span className="code">{tenant.code}</span>
    </>
  );
}
