import { useTranslation } from 'react-i18next';
import { ArchiveWarning } from '../../features/dashboard/archive-warning.tsx';
import { CountBoxes } from '../../features/dashboard/count-boxes.tsx';
import { LateBackups } from '../../features/dashboard/late-backups.tsx';
import { NeedsAttention } from '../../features/dashboard/needs-attention.tsx';
import { UnrestorableBackups } from '../../features/dashboard/unrestorable-backups.tsx';
import { PATHS, tenantPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';
import './dashboard-page.scss';

/** Counts of tenants, users and licences, and what needs attention (SPEC §2.5). */
export function DashboardPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('dashboard.title')} />
      <CountBoxes links={{ users: PATHS.users, tenants: PATHS.tenants, databases: PATHS.databases }} />
      <UnrestorableBackups databasesLink={PATHS.databases} />
      <LateBackups databasesLink={PATHS.databases} />
      <ArchiveWarning />
      <NeedsAttention tenantLink={tenantPath} allLink={PATHS.tenants} />
    </>
  );
}
