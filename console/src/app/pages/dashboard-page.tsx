import { type Finding, type FindingKind, type FindingSubject, isKnownFinding } from '@apotheca/contract/findings';
import type { Hint } from '@apotheca/contract/hints';
import { useTranslation } from 'react-i18next';
import { aboutFinding } from '../../features/dashboard/about-finding.ts';
import { CountBoxes } from '../../features/dashboard/count-boxes.tsx';
import type { FindingWay } from '../../features/dashboard/finding-row.tsx';
import { FindingsCard } from '../../features/dashboard/findings-card.tsx';
import { GrowthCard } from '../../features/dashboard/growth-card.tsx';
import { HintCard, type HintWay } from '../../features/dashboard/hint-card.tsx';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import type { UserDialog } from '../../features/users/user-dialog.ts';
import { FINDING_PARAM } from '../../lists/use-finding-filter.ts';
import { useGuide } from '../guide/guide-provider.tsx';
import type { TaskName } from '../guide/tasks.ts';
import { stateWith } from '../navigation/opened-dialog.ts';
import { PATHS, tenantPath, WEBHOOKS_PATH } from '../navigation/paths.ts';
import { openInTopBar } from '../navigation/top-bar.ts';
import { PageHeader } from './page-header.tsx';
import './dashboard-page.scss';

/** The lists that show the records of a finding and no others. */
const LISTS: Partial<Record<FindingSubject, string>> = { tenants: PATHS.tenants, databases: PATHS.databases };

function recordsPath(kind: FindingKind): string | undefined {
  const { subject } = aboutFinding(kind);
  if (subject === 'webhooks') return WEBHOOKS_PATH;
  if (subject === 'databaseservers') return PATHS.databaseServers;
  const list = subject && LISTS[subject];
  return list && `${list}?${FINDING_PARAM}=${kind}`;
}

const openActivity = () => void openInTopBar('activity');

/** Where something can be done about a record: on the page of its tenant, in its list, or among all operations. */
function wayToRecord(kind: FindingKind, record: Finding['first'][number]): FindingWay | undefined {
  if (!isKnownFinding(kind)) return undefined;
  const { id, name, tenantCode } = record;
  const inDatabases = `${PATHS.databases}?${new URLSearchParams({ q: name })}`;
  switch (kind) {
    // Backups and parked databases can be deleted there.
    case 'disk-full':
      return PATHS.databases;
    // What failed is mended in the settings of the server.
    case 'archive-broken':
      return undefined;
    // What runs can be cancelled there.
    case 'running-operation':
      return openActivity;
    // Its database may never have come to be.
    case 'failed-operation':
      return tenantCode === null ? openActivity : tenantPath(tenantCode);
    case 'inactive-webhook':
      return WEBHOOKS_PATH;
    case 'server-away':
      return PATHS.databaseServers;
    case 'blocked-sign-in':
      return signInPath(id, name);
    case 'copy-failed':
      return tenantCode === null ? inDatabases : tenantPath(tenantCode, 'backups');
    // The list has the upgrade.
    case 'old-schema':
      return inDatabases;
    default:
      return tenantCode === null ? inDatabases : tenantPath(tenantCode);
  }
}

/**
 * A user whose sign-in is blocked; where nobody has that name, or an address is blocked, what the trail tells of the attempts. Its entries
 * have addresses, and no networks of IPv6; what was typed as an unknown name is told to nobody but its readers.
 * @param subject whose attempts are counted, with what they were: "account:ID", "name:HASH", "link-use address:ADDRESS"
 */
function signInPath(subject: string, name: string): string {
  const [, whose] = /^(?:[\w-]+ )?(\w+):/.exec(subject) ?? [];
  if (whose === 'account' || whose === 'factor') return `${PATHS.users}?${new URLSearchParams({ q: name })}`;
  const isAddress = whose === 'address' && !name.includes('/');
  return `${PATHS.audit}?${new URLSearchParams(isAddress ? { address: name } : { outcome: 'refused' })}`;
}

/** Where each hint is followed: in a dialog of its screen, or on the screen. */
const HINT_WAYS: Readonly<Record<Hint, HintWay>> = {
  'no-tenant': { to: PATHS.tenants, state: stateWith({ kind: 'create' } satisfies TenantDialog) },
  'no-schedule': { to: PATHS.databases, state: stateWith({ kind: 'schedules' } satisfies DatabaseDialog) },
  'no-second-factor': { to: PATHS.profile },
  'one-administrator': { to: PATHS.users, state: stateWith({ kind: 'create' } satisfies UserDialog) },
  'no-alerts': { to: PATHS.profile },
};

const HINT_TASKS: Readonly<Record<Hint, TaskName>> = {
  'no-tenant': 'createTenant',
  'no-schedule': 'scheduleBackups',
  'no-second-factor': 'secondFactor',
  'one-administrator': 'giveRights',
  'no-alerts': 'beTold',
};

/** Counts of users, tenants and databases, and what a person should know or do (SPEC §2.5). */
export function DashboardPage() {
  const { t } = useTranslation();
  const { show } = useGuide();
  return (
    <>
      <PageHeader title={t('dashboard.title')} />
      <CountBoxes links={{ users: PATHS.users, tenants: PATHS.tenants, databases: PATHS.databases }} />
      <HintCard ways={HINT_WAYS} onHelp={(hint) => show({ task: HINT_TASKS[hint] })} />
      <FindingsCard links={{ record: wayToRecord, records: recordsPath }} />
      <GrowthCard />
    </>
  );
}
