import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/display/badge.tsx';

interface TenantNameProps {
  database: Pick<Database, 'tenantCode' | 'customerCode'>;
}

/** The tenant that owns a database; a clone is said to be one. */
export function TenantName({ database: { tenantCode, customerCode } }: TenantNameProps) {
  const { t } = useTranslation();
  if (tenantCode === null) return <Badge tone="info">{t('databases.clone')}</Badge>;
  return (
    <>
      <span className="code">{tenantCode}</span> {customerCode}
    </>
  );
}
