import { type AuditTrailEntry, RECORD_ENTRIES } from '@apotheca/contract/audit';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useListAuditTrailQuery } from '../api/audit.ts';
import { errorText } from '../api/http/answer-errors.ts';
import { Moment } from '../components/display/moment.tsx';
import { EmptyState } from '../components/notice/empty-state.tsx';
import { RetryNotice } from '../components/notice/retry-notice.tsx';
import { Spinner } from '../components/waiting/spinner.tsx';
import { EntryChanges } from './entry-changes.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';
import { TrailLinkContext, type TrailRecord } from './trail-link.ts';
import './history.scss';
import { unlessForbidden } from '../transport/api-error.ts';

interface RecordHistoryProps extends TrailRecord {
  /** A record that belongs to it, whose past is told with its own. */
  also?: TrailRecord;
}

/** What was done with a record, newest first: who, when, from where, and each field before and after. */
export function RecordHistory({ also, ...record }: RecordHistoryProps) {
  const { t } = useTranslation();
  const trail = useTrail(record, also);
  if (trail.error) {
    return (
      <RetryNotice onRetry={trail.refetch} busy={trail.isFetching}>
        {errorText(trail.error)}
      </RetryNotice>
    );
  }
  if (!trail.entries) return <Spinner label={t('audit.history.loading')} />;
  if (trail.entries.length === 0)
    return <EmptyState text={t('audit.history.empty')} hint={t('audit.history.emptyHint')} />;
  return (
    <>
      <ol className="record-history" aria-label={t('audit.history.label')}>
        {trail.entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} />
        ))}
      </ol>
      {trail.cut.map((one) => (
        <Cut key={one.entity} {...one} />
      ))}
    </>
  );
}

/** Says of a record that its list may have more, and where. */
function Cut(record: TrailRecord) {
  const { t } = useTranslation();
  const linkOf = useContext(TrailLinkContext);
  return (
    <p className="record-history-cut">
      {t('audit.history.cut')} {linkOf && <Link to={linkOf(record)}>{t('audit.history.all', { ...record })}</Link>}
    </p>
  );
}

/**
 * The entries about a record and about one that belongs to it, newest first. Where the list of one is cut, that of the other ends
 * there too: what came before would look complete.
 */
function useTrail(record: TrailRecord, also: TrailRecord | undefined) {
  const own = useListAuditTrailQuery(queryOf(record), FRESH);
  const others = useListAuditTrailQuery(also ? queryOf(also) : skipToken, FRESH);
  const queries = also ? [own, others] : [own];
  const lists = queries.map(({ currentData, error }) => unlessForbidden(currentData, error));
  const entries = lists.every((list) => list !== undefined) ? lists.flat().toSorted(newestFirst) : undefined;
  const isCut = lists.map((list = []) => list.length >= RECORD_ENTRIES);
  const oldest = Math.max(...lists.map((list, index) => (isCut[index] ? Number(list?.at(-1)?.id) : 0)));
  return {
    entries: entries?.filter(({ id }) => Number(id) >= oldest),
    cut: [record, also].filter((one, index): one is TrailRecord => one !== undefined && isCut[index] === true),
    error: queries.find(({ error }) => error)?.error,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

const FRESH = { refetchOnMountOrArgChange: true };
const queryOf = ({ entity, id }: TrailRecord) => ({ entity, entityId: id });
/** The ids of entries are numbers in the order of writing. */
const newestFirst = (one: AuditTrailEntry, other: AuditTrailEntry) => Number(other.id) - Number(one.id);

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
