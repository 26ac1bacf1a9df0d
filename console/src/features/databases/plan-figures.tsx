import type { DeletionPlan } from '@apotheca/contract/plan';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatCount } from '../../lib/numbers.ts';
import { NewestBackup } from './newest-backup.tsx';

/** What a database holds that is about to be erased or replaced, and whether there is a backup of it. */
export function PlanFigures({ plan }: { plan: Omit<DeletionPlan, 'digest'> }) {
  const { t } = useTranslation();
  const figures: { name: string; value: ReactNode }[] = [
    { name: t('databases.plan.rows'), value: formatCount(plan.rows) },
    { name: t('databases.plan.size'), value: formatBytes(plan.sizeBytes) },
    { name: t('databases.plan.connections'), value: formatCount(plan.connections) },
    { name: t('databases.plan.newestBackup'), value: <NewestBackup moment={plan.newestBackupOnUtc} /> },
  ];
  return (
    <dl className="database-plan">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
