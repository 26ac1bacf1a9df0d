import { databaseRoutes } from '@apotheca/contract/databases';
import { isEnded } from '@apotheca/contract/operations';
import { skipToken } from '@reduxjs/toolkit/query';
import { useTranslation } from 'react-i18next';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../api/databases.ts';
import { useListOperationsQuery } from '../api/operations.ts';
import { useRefusal } from '../rights/rights.tsx';
import { OperationMeter } from './operation-meter.tsx';

const POLL = 2000;

/** The operation that runs on the database now, whoever started it. */
export function RunningOperation({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const mayRead = useRefusal()(databaseRoutes.list) === undefined;
  const databases = useListDatabasesQuery(mayRead ? DATABASES_AS_LISTED : skipToken).data;
  // Its details know its id too, but cannot be read while an operation keeps everybody out of it.
  const id = databases?.find((one) => one.databaseName === databaseName)?.id;
  const { data } = useListOperationsQuery(undefined, { pollingInterval: POLL, refetchOnMountOrArgChange: true });
  const operation = data?.find((one) => one.databaseId === id && !isEnded(one.state));
  if (!operation) return null;
  return (
    <section className="manage-card">
      <h3>{t('tenants.manage.running')}</h3>
      <OperationMeter operation={operation} />
    </section>
  );
}
