import type { AuditTrailEntry } from '@apotheca/contract/audit';
import { useTranslation } from 'react-i18next';
import { useListAuditTrailQuery } from '../api/audit.ts';
import { errorText } from '../api/http/answer-errors.ts';
import { Moment } from '../components/display/moment.tsx';
import { EmptyState } from '../components/notice/empty-state.tsx';
import { RetryNotice } from '../components/notice/retry-notice.tsx';
import { Spinner } from '../components/waiting/spinner.tsx';
import { EntryChanges } from './entry-changes.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import './history.scss';

/** A record as the audit trail names it. */
export interface TrailRecord {
  /** As in entries: 'tenants', 'users', 'databases', 'roles', 'webhooks'. */
  entity: string;
  id: string;
}

/** What was done with a record, newest first: who, when, from where, and each field before and after. */
export function RecordHistory({ entity, id }: TrailRecord) {
  const { t } = useTranslation();
  const trail = useListAuditTrailQuery({ entity, entityId: id }, { refetchOnMountOrArgChange: true });
  if (trail.error) {
    return (
      <RetryNotice onRetry={trail.refetch} busy={trail.isFetching}>
        {errorText(trail.error)}
      </RetryNotice>
    );
  }
  if (!trail.currentData) return <Spinner label={t('audit.history.loading')} />;
  if (trail.currentData.length === 0) return <EmptyState text={t('audit.history.empty')} />;
  return (
    <ol className="record-history" aria-label={t('audit.history.label')}>
      {trail.currentData.map((entry) => (
        <HistoryEntry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function HistoryEntry({ entry }: { entry: AuditTrailEntry }) {
  return (
    <li>
      <div className="record-history-head">
        <strong className="code">{entry.action}</strong>
        <OutcomeBadge outcome={entry.outcome} />
        <span>{entry.actorName}</span>
        <Moment moment={entry.onUtc} />
        <span className="text-muted">{entry.address}</span>
      </div>
      <EntryChanges changes={entry.changes} />
    </li>
  );
}
