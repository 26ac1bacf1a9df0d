import { backupRoutes } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';
import type { Operation } from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetBackupScheduleQuery } from '../../../api/backup-schedules.ts';
import { useListBackupsQuery } from '../../../api/backups.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { useListOperationsQuery, useRetryOperationMutation } from '../../../api/operations.ts';
import { Button } from '../../../components/button/button.tsx';
import { Card } from '../../../components/display/card.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { operationCalls, useRefusal } from '../../../rights/rights.tsx';
import { selectSession } from '../../../session/session-slice.ts';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { type Deed, type Finding, findingsOf } from './health.ts';

interface TenantHealthProps {
  tenant: Tenant;
  /** Null: the tenant has none; absent until loaded. */
  database: Database | null | undefined;
  /** The list that the database is from; whoever hands it over shows why it could not be loaded. */
  databases: { isFetching: boolean; isError: boolean };
  onDeed: (deed: Exclude<Deed, 'retry'>) => void;
}

/** What of a tenant needs a person, each with what mends it. */
export function TenantHealth({ tenant, database, databases, onDeed }: TenantHealthProps) {
  const { t } = useTranslation();
  const { databaseName } = tenant;
  const backups = useListBackupsQuery({ databaseName });
  const schedule = useGetBackupScheduleQuery({ databaseName });
  const operations = useListOperationsQuery();
  const [retry, retrying] = useRetryOperationMutation();
  const { clockOffset } = useSelector(selectSession);
  const operation = newestOf(
    unlessForbidden(operations.data, operations.error),
    database?.id,
    Date.now() + clockOffset * 1000,
  );
  const findings = findingsOf({
    tenant,
    database,
    schedule: unlessForbidden(schedule.data, schedule.error)?.state,
    backups: unlessForbidden(backups.data, backups.error),
    operation,
  });
  const queries = [backups, schedule, operations];
  const failed = queries.filter((query) => query.isError);
  const isLoading = (database === undefined && databases.isFetching) || queries.some((query) => query.isLoading);
  const isWell = findings.length + failed.length === 0 && !isLoading && !databases.isError;

  function handle(deed: Deed) {
    if (deed !== 'retry') return onDeed(deed);
    if (operation) void retry({ id: operation.id }).unwrap().catch(showError);
  }
  return (
    <Card title={t('tenants.page.health.title')} className="tenant-health">
      {findings.map((finding) => (
        <FindingNotice
          key={finding.name}
          finding={finding}
          calls={finding.deed === 'retry' && operation ? operationCalls(operation.kind) : undefined}
          isBusy={finding.deed === 'retry' && retrying.isLoading}
          onDeed={handle}
        />
      ))}
      {failed.map((query) => (
        <LoadFailed key={query.endpointName} error={query.error} busy={query.isFetching} onRetry={query.refetch} />
      ))}
      {isLoading && <LoadingText>{t('tenants.page.health.loading')}</LoadingText>}
      {isWell && <Notice tone="success">{t('tenants.page.health.well')}</Notice>}
    </Card>
  );
}

/** How much further on the clock of a server may be than this one, in milliseconds. */
const SKEW = 60_000;

/** The newest operation on a database, whatever name that had then. What a clock that was ahead has dated, whose moment is still to come, counts as older than all others. */
function newestOf(
  operations: readonly Operation[] = [],
  databaseId: string | undefined,
  now: number,
): Operation | undefined {
  const momentOf = ({ createdOnUtc }: Operation) => Date.parse(createdOnUtc);
  const isAhead = (one: Operation) => Number(momentOf(one) > now + SKEW);
  return operations
    .filter((one) => one.databaseId === databaseId)
    .toSorted((one, other) => isAhead(one) - isAhead(other) || momentOf(other) - momentOf(one))[0];
}

/** The calls that a deed leads to at once; none where it leads to a view. What starts an operation again needs what that needs. */
const CALLS: Record<Deed, readonly Pick<ContractRoute, 'permission'>[]> = {
  edit: [tenantRoutes.edit],
  activate: [tenantRoutes.activate],
  backUp: [backupRoutes.create],
  prove: [],
  schedule: [],
  retry: [],
};

interface FindingNoticeProps {
  finding: Finding;
  /** What the deed calls; absent: as {@link CALLS} says. */
  calls: Pick<ContractRoute, 'permission'>[] | undefined;
  isBusy: boolean;
  onDeed: (deed: Deed) => void;
}

function FindingNotice({ finding, calls, isBusy, onDeed }: FindingNoticeProps) {
  const { name, tone, end = '', reason = '', deed } = finding;
  const { t } = useTranslation();
  const refusal = useRefusal();
  const action = deed && (
    <Button
      variant="secondary"
      size="small"
      loading={isBusy}
      refusal={refusal(...(calls ?? CALLS[deed]))}
      onClick={() => onDeed(deed)}
    >
      {t(`tenants.page.health.deeds.${deed}`)}
    </Button>
  );
  return (
    <Notice tone={tone} action={action}>
      {t(`tenants.page.health.findings.${name}`, { end, reason })}
    </Notice>
  );
}
