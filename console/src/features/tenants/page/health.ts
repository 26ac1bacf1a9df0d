import type { ScheduledDatabase } from '@apotheca/contract/backup-schedules';
import type { Backup } from '@apotheca/contract/backups';
import type { Database } from '@apotheca/contract/databases';
import type { Operation } from '@apotheca/contract/operations';
import { lastDay } from '@apotheca/contract/tenant-access';
import type { Tenant } from '@apotheca/contract/tenants';
import { messageText } from '../../../locales/messages.ts';
import { standingToday } from '../standing.ts';

/** What mends a finding. */
export type Deed = 'edit' | 'activate' | 'backUp' | 'prove' | 'schedule' | 'retry';

/** Something of a tenant that a person should know. */
export interface Finding {
  name: keyof typeof import('../../../locales/en-pages.json')['tenants']['page']['health']['findings'];
  tone: 'danger' | 'warning' | 'info';
  /** The last day of the subscription, where its text names that. */
  end?: string;
  /** What was said of a failure. */
  reason?: string;
  deed?: Deed;
}

interface Facts {
  tenant: Tenant;
  /** Null: the tenant has none. Each fact is absent until it is loaded, or where it could not be. */
  database?: Database | null;
  /** The state of its schedule; null: it has none. */
  schedule?: ScheduledDatabase | null;
  /** Newest first. */
  backups?: readonly Backup[];
  /** The newest operation on its database. */
  operation?: Operation;
}

/** What is to be said of a tenant, what is worst first. */
export function findingsOf(facts: Facts): Finding[] {
  const found = [...standingFindings(facts), ...databaseFindings(facts), ...backupFindings(facts)];
  const { operation } = facts;
  if (operation?.state === 'failed') {
    found.push({ name: 'operationFailed', tone: 'warning', reason: messageText(operation.message), deed: 'retry' });
  }
  return found.toSorted((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

const TONES: readonly Finding['tone'][] = ['danger', 'warning', 'info'];

/** Whether the tenant is active, and its subscription. */
function standingFindings({ tenant }: Facts): Finding[] {
  const { state } = standingToday(tenant);
  const end = lastDay(tenant);
  switch (state) {
    case 'active':
      return [];
    case 'deactivated':
      return [{ name: 'deactivated', tone: 'warning', deed: 'activate' }];
    case 'expiring':
      return [{ name: 'expiring', tone: 'info', end, deed: 'edit' }];
    case 'grace':
      return [{ name: 'grace', tone: 'warning', end, deed: 'edit' }];
    default:
      return [{ name: 'expired', tone: 'danger', end, deed: 'edit' }];
  }
}

function databaseFindings({ database }: Facts): Finding[] {
  if (database === null) return [{ name: 'noDatabase', tone: 'danger' }];
  if (!database) return [];
  const found: Finding[] = [];
  if (database.access === 'closed') found.push({ name: 'closed', tone: 'danger' });
  if (database.access === 'read-only') found.push({ name: 'readOnly', tone: 'warning' });
  if (database.isOutdated) found.push({ name: 'oldSchema', tone: 'warning' });
  return found;
}

function backupFindings({ database, schedule, backups }: Facts): Finding[] {
  const found: Finding[] = [];
  const newest = backups?.[0];
  if (database && backups?.length === 0) found.push({ name: 'noBackup', tone: 'danger', deed: 'backUp' });
  else if (schedule?.isLate) found.push({ name: 'lateBackup', tone: 'danger', deed: 'backUp' });
  if (schedule?.lastResult === 'failed') {
    found.push({
      name: 'scheduleFailed',
      tone: 'warning',
      reason: messageText(schedule.lastMessage),
      deed: 'schedule',
    });
  }
  if (newest?.proof?.result === 'failed') {
    found.push({ name: 'proofFailed', tone: 'danger', reason: messageText(newest.proof.reason), deed: 'backUp' });
  }
  const isProved = backups?.some(({ proof }) => proof?.result === 'proved');
  if (newest && isProved === false && newest.proof === null) {
    found.push({ name: 'unproved', tone: 'info', deed: 'prove' });
  }
  return found;
}
