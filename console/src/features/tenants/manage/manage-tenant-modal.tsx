import type { Tenant } from '@apotheca/contract/tenants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetDatabaseDetailsQuery } from '../../../api/databases.ts';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Tabs } from '../../../components/display/tabs.tsx';
import { RecordHistory } from '../../../history/record-history.tsx';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { TenantSubtitle } from '../tenant-subtitle.tsx';
import { ConnectionDialogs } from './connection-tab/connection-dialogs.tsx';
import { ConnectionTab } from './connection-tab/connection-tab.tsx';
import { useConnectionTab } from './connection-tab/use-connection-tab.ts';
import { DataActionButton } from './data-tab/data-action-button.tsx';
import { DataDialogs } from './data-tab/data-dialogs.tsx';
import { DataTab } from './data-tab/data-tab.tsx';
import { useDataTab } from './data-tab/use-data-tab.ts';
import { DatabaseTab } from './database-tab/database-tab.tsx';
import { useBackup } from './database-tab/use-backup.ts';
import { PermissionsTab } from './permissions-tab/permissions-tab.tsx';

interface ManageTenantModalProps {
  show: boolean;
  tenant: Tenant;
  /** Leads to the permissions on its page; absent on that page. */
  onOpenPermissions?: ((code: string) => void) | undefined;
  onClose: () => void;
}

/** The Manage Tenant modal of SPEC §2.8: a tenant's database, its data and its permissions. */
export function ManageTenantModal({ show, tenant, onOpenPermissions, onClose }: ManageTenantModalProps) {
  const { t } = useTranslation();
  const { databaseName } = tenant;
  const [tab, setTab] = useState('database');
  const [isScheduleDirty, setScheduleDirty] = useState(false);
  const [areLimitsDirty, setLimitsDirty] = useState(false);
  const connection = useConnectionTab(tenant.id, show);
  const details = useGetDatabaseDetailsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const isDirty = isScheduleDirty || areLimitsDirty;
  const backup = useBackup({ databaseName, isDirty, onClose });
  const data = useDataTab(databaseName);
  const footer = backup.progress ?? (
    <DialogButtons isBusy={backup.isBlocking} closeText={t('tenants.modal.close')}>
      {tab === 'data' && <DataActionButton data={data} />}
    </DialogButtons>
  );
  const shared = { databaseName, details: { ...details, data: unlessForbidden(details.data, details.error) } };
  const tabs = [
    {
      id: 'database',
      label: t('tenants.manage.tabs.database'),
      panel: <DatabaseTab {...shared} backup={backup} onScheduleDirty={setScheduleDirty} />,
    },
    { id: 'data', label: t('tenants.manage.tabs.data'), panel: <DataTab {...shared} data={data} /> },
    {
      id: 'permissions',
      label: t('tenants.manage.tabs.permissions'),
      panel: <PermissionsTab tenant={tenant} onOpenPage={onOpenPermissions} />,
    },
    {
      id: 'connection',
      label: t('tenants.manage.tabs.connection'),
      panel: <ConnectionTab tenant={tenant} state={connection} onDirty={setLimitsDirty} />,
    },
    {
      id: 'history',
      label: t('tenants.manage.tabs.history'),
      panel: <RecordHistory entity="tenants" id={tenant.id} />,
    },
  ];
  return (
    <>
      <Modal
        show={show}
        title={t('tenants.manage.title')}
        subtitle={<TenantSubtitle tenant={tenant} />}
        size="xl"
        bodyHeight="65vh"
        flush
        busy={backup.isBlocking}
        dirty={isDirty}
        footer={footer}
        onClose={onClose}
      >
        <div className="manage-tenant">
          <Tabs label={t('tenants.manage.title')} tabs={tabs} selected={tab} onSelect={setTab} />
        </div>
      </Modal>
      {show && <DataDialogs databaseName={databaseName} data={data} />}
      {show && <ConnectionDialogs tenantId={tenant.id} state={connection} />}
    </>
  );
}
