import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { kindText } from '../../../api/http/operation-title.ts';
import { RowName } from '../../../components/data-table/row-name.tsx';
import { Badge } from '../../../components/display/badge.tsx';

/** A database's name in the list, with badges for a running operation, an anonymized clone and an old schema. */
export function DatabaseName({
  database: { databaseName, isOutdated, refreshedOnUtc, access, operation },
  onOpen,
}: {
  database: Database;
  /** What the name opens; absent: nothing. */
  onOpen?: () => void;
}) {
  const { t } = useTranslation();
  const name = <span className="code">{databaseName}</span>;
  return (
    <span className="database-name">
      {onOpen ? <RowName opens={onOpen}>{name}</RowName> : name}
      {operation !== null && <Badge tone="info">{t(`databases.doing.${kindText(operation.kind)}`)}</Badge>}
      {refreshedOnUtc !== null && <Badge tone="success">{t('databases.anonymized')}</Badge>}
      {isOutdated && <Badge tone="warning">{t('databases.oldSchema')}</Badge>}
      {access !== 'open' && <Badge tone="muted">{t(`databases.access.${access}`)}</Badge>}
    </span>
  );
}
