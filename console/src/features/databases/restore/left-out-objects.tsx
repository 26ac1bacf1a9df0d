import type { LeftOutObject } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice/notice.tsx';
import { formatCount } from '../../../lib/numbers.ts';
import { messageText } from '../../../locales/messages.ts';

/** Names everything in an archive that is not restored, with the reason, and tables with their rows. */
export function LeftOutObjects({ objects = [] }: { objects: readonly LeftOutObject[] | undefined }) {
  const { t } = useTranslation();
  if (objects.length === 0) return null;
  const amountOf = (rows: number | null) =>
    rows === null
      ? t('databases.restore.notCounted')
      : t('databases.restore.rows', { count: rows, rows: formatCount(rows) });
  return (
    <Notice tone="warning" title={t('databases.restore.leftOut', { count: objects.length })}>
      <ul className="left-out">
        {objects.map(({ kind, name, rows, reason }) => (
          <li key={`${kind} ${name}`}>
            {kind} <span className="code">{name}</span>
            {kind === 'table' && <span className="num"> ({amountOf(rows)})</span>}
            {reason !== '' && <span className="form-text">{messageText(reason)}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
