import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseDetailsQuery } from '../../../api/databases.ts';
import { Button } from '../../../components/button/button.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { Notice } from '../../../components/notice/notice.tsx';
import { formatList } from '../../../locales/formats.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { DeleteRejectedDialog } from '../adoption/delete-rejected-dialog.tsx';
import { RejectedRows } from '../adoption/rejected-rows.tsx';
import { DatabaseFacts } from './database-facts.tsx';
import { DatabaseTables } from './database-tables.tsx';

/** The facts and tables of a database as they are now. */
export function DatabaseView({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const { data, isError, error, isFetching, refetch } = useGetDatabaseDetailsQuery(
    { databaseName },
    { refetchOnMountOrArgChange: true },
  );
  const details = unlessForbidden(data, error);
  return (
    <>
      {isError && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!details && !isError && <Skeleton label={t('databases.view.loading')} />}
      {details && (
        <>
          <DatabaseFacts details={details} />
          <KeptRejected databaseName={databaseName} rejected={details.rejectedRows} />
          {details.unreadableTables.length > 0 && (
            <Notice tone="danger">
              {t('databases.view.unreadable', {
                tables: formatList(details.unreadableTables),
                count: details.unreadableTables.length,
              })}
            </Notice>
          )}
          <DatabaseTables tables={details.tables} />
        </>
      )}
    </>
  );
}

interface KeptRejectedProps {
  databaseName: string;
  rejected: number;
}

/** The rows that were rejected when the database was adopted, if it has any. */
function KeptRejected({ databaseName, rejected }: KeptRejectedProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [open, setOpen] = useState<{ kind: 'none' | 'deleting' }>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  return (
    <>
      {rejected > 0 && (
        <Notice tone="warning">
          <RejectedRows databaseName={databaseName} rejected={rejected} />{' '}
          <Button
            variant="secondary"
            size="small"
            icon={Trash2}
            refusal={refusal(adoptionRoutes.deleteRejected)}
            onClick={() => setOpen({ kind: 'deleting' })}
          >
            {t('databases.adoption.deleting.open')}
          </Button>
        </Notice>
      )}
      {dialog.kind === 'deleting' && (
        <DeleteRejectedDialog key={key} {...{ show, databaseName }} onClose={() => setOpen({ kind: 'none' })} />
      )}
    </>
  );
}

const BARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Grey bars in place of the facts. */
function Skeleton({ label }: { label: string }) {
  return (
    <div className="facts database-facts" role="status">
      <span className="visually-hidden">{label}</span>
      {BARS.map((bar) => (
        <span key={bar} className="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}
