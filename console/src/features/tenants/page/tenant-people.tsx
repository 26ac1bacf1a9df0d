import type { Tenant } from '@apotheca/contract/tenants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseDetailsQuery } from '../../../api/databases.ts';
import { Card } from '../../../components/display/card.tsx';
import { Fact, Facts } from '../../../components/display/facts.tsx';
import { PendingFigure } from '../../../components/display/pending-figure.tsx';
import { LeaveGuard } from '../../../forms/leave-guard.tsx';
import { formatCount } from '../../../lib/numbers.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { ConnectionDialogs } from '../manage/connection-tab/connection-dialogs.tsx';
import { ConnectionTab } from '../manage/connection-tab/connection-tab.tsx';
import { useConnectionTab } from '../manage/connection-tab/use-connection-tab.ts';

/** Who belongs to a tenant, and who is connected: people by their records, programs by their logins. */
export function TenantPeople({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  const { databaseName } = tenant;
  const connection = useConnectionTab(tenant.id);
  const [isDirty, setDirty] = useState(false);
  const details = useGetDatabaseDetailsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const data = unlessForbidden(details.data, details.error);
  const pending = <PendingFigure isPending={!(data || details.isError)} />;
  const users = data?.tables.find(({ name }) => name === 'users')?.rows;
  return (
    <>
      <Card title={t('tenants.page.people.title')}>
        {details.isError && <LoadFailed error={details.error} busy={details.isFetching} onRetry={details.refetch} />}
        <Facts>
          <Fact label={t('tenants.columns.contact')}>{`${tenant.firstName} ${tenant.lastName}`.trim()}</Fact>
          <Fact label={t('tenants.fields.email')}>{tenant.email}</Fact>
          <Fact label={t('tenants.fields.phone')}>{tenant.phone}</Fact>
          <Fact label={t('tenants.page.people.users')}>{users === undefined ? pending : formatCount(users)}</Fact>
          <Fact label={t('tenants.manage.database.sessions')}>{data ? formatCount(data.connections) : pending}</Fact>
        </Facts>
        <p className="tenant-note">{t('tenants.page.people.console')}</p>
      </Card>
      <Card title={t('tenants.page.people.programs')}>
        <LeaveGuard dirty={isDirty} />
        <ConnectionTab tenant={tenant} state={connection} onDirty={setDirty} />
      </Card>
      <ConnectionDialogs tenantId={tenant.id} state={connection} />
    </>
  );
}
