import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';
import type { Tenant } from '@apotheca/contract/tenants';
import { Archive, ArchiveRestore } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/display/card.tsx';
import { BackupsTable } from '../../features/databases/backups/backups-table.tsx';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import { DatabaseName } from '../../features/databases/screen/database-name.tsx';
import { DatabaseRowActions } from '../../features/databases/screen/database-row-actions.tsx';
import { DatabaseView } from '../../features/databases/view/database-view.tsx';
import { SizeOverTime } from '../../features/databases/view/size-over-time.tsx';
import { PermissionsTab } from '../../features/tenants/manage/permissions-tab/permissions-tab.tsx';
import { DangerZone } from '../../features/tenants/page/danger-zone.tsx';
import type { Deed } from '../../features/tenants/page/health.ts';
import { TenantHealth } from '../../features/tenants/page/tenant-health.tsx';
import { TenantPeople } from '../../features/tenants/page/tenant-people.tsx';
import { TenantSummary } from '../../features/tenants/page/tenant-summary.tsx';
import { useToggleTenant } from '../../features/tenants/screen/use-toggle-tenant.ts';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import { BackupScheduleEditor } from '../../forms/backup-schedule-form.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { RecordHistory } from '../../history/record-history.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import { tenantPath, VIEW } from '../navigation/paths.ts';
import { PageViews } from './page-views.tsx';

const VIEWS = ['summary', 'database', 'backups', 'permissions', 'people', 'history'] as const;
type View = (typeof VIEWS)[number];

interface TenantViewsProps {
  tenant: Tenant;
  /** Null: the tenant has none; absent until loaded. */
  database: Database | null | undefined;
  /** The list that the database is from. */
  databases: { isFetching: boolean; isError: boolean };
  onOpenTenant: (dialog: TenantDialog) => void;
  onOpenDatabase: (dialog: DatabaseDialog) => void;
}

/** The links between the views of a tenant, and the one that the address names. */
export function TenantViews(props: TenantViewsProps) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const current = VIEWS.find((view) => view === params.get(VIEW.param)) ?? 'summary';
  const views = VIEWS.map((view) => ({
    to: viewPath(props.tenant, view),
    text: t(`tenants.page.views.${view}`),
    isCurrent: view === current,
  }));
  return (
    <>
      <PageViews label={t('tenants.page.views.label')} views={views} />
      <div className="tenant-page">
        <Shown view={current} {...props} />
      </div>
    </>
  );
}

const viewPath = ({ code }: Tenant, view: View): string => tenantPath(code, view === 'summary' ? undefined : view);

function Shown({ view, ...props }: TenantViewsProps & { view: View }) {
  const { tenant, database } = props;
  switch (view) {
    case 'summary':
      return <SummaryView {...props} />;
    case 'database':
      return <OfDatabase view={DatabaseCards} {...props} />;
    case 'backups':
      return <OfDatabase view={BackupsView} {...props} />;
    case 'permissions':
      return <PermissionsCard tenant={tenant} />;
    case 'people':
      return <TenantPeople tenant={tenant} />;
    case 'history':
      return <HistoryCard tenant={tenant} database={database} />;
  }
}

function SummaryView({ tenant, database, databases, onOpenTenant, onOpenDatabase }: TenantViewsProps) {
  const navigate = useNavigate();
  const toggle = useToggleTenant();
  function handleDeed(deed: Exclude<Deed, 'retry'>) {
    if (deed === 'edit') return onOpenTenant({ kind: 'edit', tenant });
    if (deed === 'activate') return void toggle(tenant);
    if (deed === 'backUp' && database) return onOpenDatabase({ kind: 'backup', database });
    return navigate(viewPath(tenant, 'backups'));
  }
  return (
    <>
      <TenantHealth tenant={tenant} database={database} databases={databases} onDeed={handleDeed} />
      <TenantSummary tenant={tenant} onEdit={() => onOpenTenant({ kind: 'edit', tenant })} />
      <DangerZone
        tenant={tenant}
        onOpen={onOpenTenant}
        database={database}
        onMove={(moved) => onOpenDatabase({ kind: 'move', database: moved })}
      />
    </>
  );
}

type ViewOfDatabase = (props: { database: Database; onOpen: (dialog: DatabaseDialog) => void }) => React.ReactNode;

/** A view that needs the tenant's database. */
function OfDatabase({ view: View, database, databases, onOpenDatabase }: TenantViewsProps & { view: ViewOfDatabase }) {
  const { t } = useTranslation();
  if (database) return <View database={database} onOpen={onOpenDatabase} />;
  if (database === null) return <Card>{t('tenants.page.health.findings.noDatabase')}</Card>;
  return databases.isFetching && <LoadingText>{t('databases.view.loading')}</LoadingText>;
}

const DatabaseCards: ViewOfDatabase = ({ database, onOpen }) => (
  <>
    <SizeOverTime databaseName={database.databaseName} />
    <Card
      title={<DatabaseName database={database} />}
      actions={<DatabaseRowActions database={database} onOpen={onOpen} />}
    >
      <DatabaseView databaseName={database.databaseName} />
    </Card>
  </>
);

const BackupsView: ViewOfDatabase = ({ database, onOpen }) => {
  const { t } = useTranslation();
  const [isDirty, setDirty] = useState(false);
  const refusal = useRefusal();
  const { databaseName } = database;
  const restore = useCallback(
    (backup: Backup) => onOpen({ kind: 'restore', backup, databaseName }),
    [onOpen, databaseName],
  );
  const actions = (
    <>
      <Button
        variant="secondary"
        icon={ArchiveRestore}
        refusal={refusal(backupRoutes.restore)}
        onClick={() => onOpen({ kind: 'restore', databaseName })}
      >
        {t('databases.restore.title')}
      </Button>
      <Button
        icon={Archive}
        refusal={refusal(backupRoutes.create)}
        onClick={() => onOpen({ kind: 'backup', database })}
      >
        {t('databases.backup.title')}
      </Button>
    </>
  );
  return (
    <>
      <Card title={t('databases.backups.title')} actions={actions} className="tenant-backups">
        <BackupsTable databaseName={databaseName} onRestore={restore} />
      </Card>
      <Card title={t('backupSchedule.title')}>
        <LeaveGuard dirty={isDirty} />
        <BackupScheduleEditor databaseName={databaseName} onDirty={setDirty} />
      </Card>
    </>
  );
};

function PermissionsCard({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  return (
    <Card title={t('tenants.page.views.permissions')}>
      <PermissionsTab tenant={tenant} />
    </Card>
  );
}

function HistoryCard({ tenant, database }: Pick<TenantViewsProps, 'tenant' | 'database'>) {
  const { t } = useTranslation();
  return (
    <Card title={t('audit.history.title')}>
      <RecordHistory
        entity="tenants"
        id={tenant.id}
        also={database ? { entity: 'databases', id: database.id } : undefined}
      />
    </Card>
  );
}
