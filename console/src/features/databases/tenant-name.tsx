import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/display/badge.tsx';

interface TenantNameProps {
  database: Pick<Database, 'tenantCode' | 'customerCode'>;
}

/** The tenant of a database, or that the database is a clone. */
export function TenantName({ database: { tenantCode, customerCode } }: TenantNameProps) {
  const { t } = useTranslation();
  if (tenantCode === null) return <Badge tone="info">{t('databases.clone')}</Badge>;
  return (
    <>
      <span className="code">{tenantCode}</span> {customerCode}
    </>
  );
}
