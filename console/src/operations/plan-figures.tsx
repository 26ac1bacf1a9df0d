import type { DeletionPlan } from '@apotheca/contract/plan';
import { useTranslation } from 'react-i18next';
import { Moment } from '../components/display/moment.tsx';
import { formatBytes, formatCount } from '../lib/numbers.ts';

export type Figures = Omit<DeletionPlan, 'sizeBytes' | 'digest'> & { sizeBytes?: number };

/** The figures that every plan has, and the size where the plan has one. */
export function PlanFigures({ plan }: { plan: Figures }) {
  const { t } = useTranslation();
  const { rows, sizeBytes, connections, newestBackupOnUtc } = plan;
  return (
    <dl className="plan-figures">
      <div>
        <dt>{t('databases.plan.rows')}</dt>
        <dd className="num">{formatCount(rows)}</dd>
      </div>
      {sizeBytes !== undefined && (
        <div>
          <dt>{t('databases.plan.size')}</dt>
          <dd className="num">{formatBytes(sizeBytes)}</dd>
        </div>
      )}
      <div>
        <dt>{t('databases.plan.sessions')}</dt>
        <dd className="num">{formatCount(connections)}</dd>
      </div>
      <div>
        <dt>{t('databases.plan.newestBackup')}</dt>
        <dd>{newestBackupOnUtc === null ? t('databases.noBackup') : <Moment moment={newestBackupOnUtc} />}</dd>
      </div>
    </dl>
  );
}
