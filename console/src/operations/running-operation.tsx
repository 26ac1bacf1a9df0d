import { isEnded } from '@apotheca/contract/operations';
import { useTranslation } from 'react-i18next';
import { useListOperationsQuery } from '../api/operations.ts';
import { OperationMeter } from './operation-meter.tsx';

const POLL = 2000;

/** The operation that runs on the database now, whoever started it. */
export function RunningOperation({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const { data } = useListOperationsQuery(undefined, { pollingInterval: POLL, refetchOnMountOrArgChange: true });
  const operation = data?.find((one) => one.databaseName === databaseName && !isEnded(one.state));
  if (!operation) return null;
  return (
    <section className="manage-card">
      <h3>{t('tenants.manage.running')}</h3>
      <OperationMeter operation={operation} />
    </section>
  );
}
