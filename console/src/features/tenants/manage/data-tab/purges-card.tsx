import { type Purge, purgeRoutes } from '@apotheca/contract/purges';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListPurgesQuery } from '../../../../api/tenant-data.ts';
import { Button } from '../../../../components/button/button.tsx';
import { useLostFocus } from '../../../../components/data-table/use-lost-focus.ts';
import { Moment } from '../../../../components/display/moment.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { localMinute } from '../../../../lib/moment.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import { unlessForbidden } from '../../../../transport/api-error.ts';

interface PurgesCardProps {
  databaseName: string;
  /** The message about what was put back last. */
  outcome: string | undefined;
  onPutBack: (purge: Purge) => void;
}

/** The purges of the last days that can still be put back (DECISIONS §9). */
export function PurgesCard({ databaseName, outcome, onPutBack }: PurgesCardProps) {
  const { t } = useTranslation();
  const list = useListPurgesQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const purges = unlessForbidden(list.data, list.error);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const focusHandlers = useLostFocus(box);
  return (
    <section
      ref={setBox}
      {...focusHandlers}
      className="manage-card"
      aria-label={t('tenants.manage.putBack.title')}
      tabIndex={-1}
    >
      <h3>{t('tenants.manage.putBack.title')}</h3>
      {outcome !== undefined && (
        <Notice tone="success" role="status">
          {outcome}
        </Notice>
      )}
      {list.isError && <LoadFailed error={list.error} busy={list.isFetching} onRetry={list.refetch} />}
      {list.isFetching && !purges && <LoadingText>{t('tenants.manage.putBack.loading')}</LoadingText>}
      {purges?.length === 0 && <p className="text-muted">{t('tenants.manage.putBack.none')}</p>}
      <ul className="purge-list">
        {purges?.map((purge) => (
          <PurgeItem key={purge.operationId} purge={purge} onPutBack={() => onPutBack(purge)} />
        ))}
      </ul>
    </section>
  );
}

function PurgeItem({ purge, onPutBack }: { purge: Purge; onPutBack: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const left = purge.tables.filter((table) => !table.putBack);
  const rows = left.reduce((sum, table) => sum + table.rows, 0);
  return (
    <li>
      <div>
        <Moment moment={purge.purgedOnUtc} />
        <div>
          {t('tenants.manage.putBack.what', { count: left.length, rows: t('tenants.manage.rows', { count: rows }) })}
        </div>
        <div className="text-muted small">
          {t('tenants.manage.putBack.until')} <Moment moment={purge.keptUntilUtc} />
        </div>
      </div>
      <Button
        variant="secondary"
        size="small"
        icon={Undo2}
        aria-label={`${t('tenants.manage.putBack.open')}: ${localMinute(new Date(purge.purgedOnUtc))}`}
        refusal={refusal(purgeRoutes.putBack)}
        onClick={onPutBack}
      >
        {t('tenants.manage.putBack.open')}
      </Button>
    </li>
  );
}
