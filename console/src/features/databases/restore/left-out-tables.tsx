import type { LeftOutTable } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice/notice.tsx';
import { formatCount } from '../../../lib/numbers.ts';

/** Names every table of an archive that is not restored, with its rows. */
export function LeftOutTables({ tables = [] }: { tables: readonly LeftOutTable[] | undefined }) {
  const { t } = useTranslation();
  if (tables.length === 0) return null;
  return (
    <Notice tone="warning" title={t('databases.restore.leftOut', { count: tables.length })}>
      <dl className="plan-figures">
        {tables.map(({ name, rows }) => (
          <div key={name}>
            <dt className="code">{name}</dt>
            <dd className="num">
              {rows === null
                ? t('databases.restore.notCounted')
                : t('databases.restore.rows', { count: rows, rows: formatCount(rows) })}
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
