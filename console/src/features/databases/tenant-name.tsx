import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '../../components/display/badge.tsx';

interface TenantNameProps {
  database: Pick<Database, 'tenantCode' | 'customerCode'>;
  /** The address of a tenant's page; absent: no link. */
  tenantLink?: TenantLink;
}

/** The address of the page of the tenant with a code. */
export type TenantLink = (code: string) => string;

/** The tenant of a database, or that the database is a clone. */
export function TenantName({ database: { tenantCode, customerCode }, tenantLink }: TenantNameProps) {
  const { t } = useTranslation();
  if (tenantCode === null) return <Badge tone="info">{t('databases.clone')}</Badge>;
  const name = (
    <>
      <span className="code">{tenantCode}</span> {customerCode}
    </>
  );
  return tenantLink ? <Link to={tenantLink(tenantCode)}>{name}</Link> : name;
}
