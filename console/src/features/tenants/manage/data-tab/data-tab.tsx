import { Eraser, VenetianMask } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../components/button/button.tsx';
import { formatBytes } from '../../../../lib/numbers.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import type { DatabaseTabProps } from '../../manage-tab.ts';
import { AnonymizeView } from './anonymize-view.tsx';
import { PurgeView } from './purge-view.tsx';
import type { DataTabState } from './use-data-tab.ts';

/** Purges tables of the tenant's database, and anonymizes it (SPEC §2.8, Delete Transaction Data & Reseed). */
export function DataTab({ databaseName, details, data }: DatabaseTabProps & { data: DataTabState }) {
  const { t } = useTranslation();
  const { kind, setKind } = data;
  const tables = details.data?.tables;
  const rows = useMemo(() => new Map(tables?.map((table) => [table.name, table.rows])), [tables]);
  return (
    <div className="manage-stack">
      <div className="manage-head">
        <div className="manage-database">
          <span className="text-muted">{t('tenants.manage.data.target')}</span>
          <span className="code">{databaseName}</span>
          {details.data && (
            <span className="num text-muted small">
              {formatBytes(details.data.sizeBytes)} ·{' '}
              {t('tenants.manage.data.sessions', { count: details.data.connections })}
            </span>
          )}
        </div>
        <div className="manage-buttons">
          <KindButton icon={VenetianMask} chosen={kind === 'anonymize'} onClick={() => setKind('anonymize')}>
            {t('tenants.manage.data.anonymization')}
          </KindButton>
          <KindButton icon={Eraser} chosen={kind === 'purge'} onClick={() => setKind('purge')}>
            {t('tenants.manage.data.deleteTransaction')}
          </KindButton>
        </div>
      </div>
      {details.isError && <LoadFailed error={details.error} busy={details.isFetching} onRetry={details.refetch} />}
      {kind === 'purge' ? (
        <PurgeView databaseName={databaseName} rows={rows} data={data} />
      ) : (
        <AnonymizeView databaseName={databaseName} report={data.report} />
      )}
    </div>
  );
}

interface KindButtonProps {
  icon: typeof Eraser;
  chosen: boolean;
  onClick: () => void;
  children: string;
}

/** One of the two buttons that choose the tab's kind of operation. */
function KindButton({ chosen, ...rest }: KindButtonProps) {
  return <Button {...rest} variant={chosen ? 'primary' : 'secondary'} outline={chosen} aria-pressed={chosen} />;
}
