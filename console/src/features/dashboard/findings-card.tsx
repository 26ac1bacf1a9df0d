import { type Finding, findingRoutes } from '@apotheca/contract/findings';
import { skipToken } from '@reduxjs/toolkit/query';
import { BellOff, CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useListFindingRecordsQuery, useListFindingsQuery } from '../../api/findings.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { Button } from '../../components/button/button.tsx';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { Badge } from '../../components/display/badge.tsx';
import { Card } from '../../components/display/card.tsx';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { classNames } from '../../lib/class-names.ts';
import { formatCount } from '../../lib/numbers.ts';
import { useInTurns } from '../../lib/use-in-turns.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import { usePolling } from '../../rights/use-polling.ts';
import { unlessForbidden } from '../../transport/api-error.ts';
import { aboutFinding } from './about-finding.ts';
import { FindingRow, type FindingWay } from './finding-row.tsx';
import { SnoozeModal } from './snooze-modal.tsx';

const ICONS: Record<ReturnType<typeof aboutFinding>['tone'], LucideIcon> = {
  danger: OctagonAlert,
  warning: TriangleAlert,
  info: Info,
};
/** What was asked for before the page was drawn is not asked for again: an age in seconds. */
const FRESH = 2;
/** What is new shows within a minute. */
const POLL_MS = 30_000;
/** What fills a screen: all of a kind may be thousands. */
const AT_ONCE = 50;

export interface FindingLinks {
  /** The way to where something can be done about a record; undefined: not in the console. */
  record: (kind: Finding['kind'], record: Finding['first'][number]) => FindingWay | undefined;
  /** The address of the list with exactly the records of a kind; undefined: there is none. */
  records: (kind: Finding['kind']) => string | undefined;
}

type Open = { kind: 'none' } | { kind: 'snooze'; of: Finding['kind'] };

/** What failed, what needs a person and what runs: by kind, the most urgent first (SPEC §2.5). */
export function FindingsCard({ links }: { links: FindingLinks }) {
  const { t } = useTranslation();
  const { paced, heed } = usePolling(findingRoutes.list);
  const { data, error, isFetching, refetch } = useListFindingsQuery(undefined, {
    refetchOnMountOrArgChange: FRESH,
    refetchOnFocus: true,
    refetchOnReconnect: true,
    pollingInterval: paced(POLL_MS),
    skipPollingIfUnfocused: true,
  });
  heed(error);
  useErrorToast(error);
  const isLoading = !data && !error;
  const findings = unlessForbidden(data, error);
  const [open, setOpen] = useOpenDialog<Open>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const urgent = findings
    ?.filter(({ kind }) => aboutFinding(kind).tone !== 'info')
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <Card
      title={t('dashboard.findings.title')}
      actions={urgent ? <Badge tone="danger">{formatCount(urgent)}</Badge> : undefined}
      flush
      className={classNames('findings', isLoading && 'is-loading')}
    >
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {findings?.length === 0 && (
        <EmptyState icon={CircleCheck} text={t('dashboard.findings.none')} hint={t('dashboard.findings.noneHint')} />
      )}
      {findings?.map((finding) => (
        <FindingGroup
          key={finding.kind}
          finding={finding}
          links={links}
          onSnooze={() => setOpen({ kind: 'snooze', of: finding.kind })}
        />
      ))}
      {isLoading && <Loading />}
      {dialog.kind === 'snooze' && (
        <SnoozeModal key={key} show={show} kind={dialog.of} onClose={() => setOpen({ kind: 'none' })} />
      )}
    </Card>
  );
}

function FindingGroup({ finding, links, onSnooze }: { finding: Finding; links: FindingLinks; onSnooze: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { kind, count, snoozed, first } = finding;
  const { tone, key } = aboutFinding(kind);
  const Icon = ICONS[tone];
  const all = links.records(kind);
  const title = t(`dashboard.findings.kinds.${key}`, { count: count || snoozed });
  return (
    <section className="finding-group" aria-label={title}>
      <header className={`finding-title finding-${count === 0 ? 'quiet' : tone}`}>
        <Icon className="icon" aria-hidden="true" />
        <h3>{title}</h3>
        {snoozed > 0 && <span className="text-muted">{t('dashboard.findings.snoozed', { count: snoozed })}</span>}
        <span className="finding-actions">
          {all !== undefined && (
            <Link to={all} aria-label={`${t('dashboard.findings.all')}: ${title}`}>
              {t('dashboard.findings.all')}
            </Link>
          )}
          {kind !== 'running-operation' && (
            <Button
              variant="secondary"
              size="small"
              icon={BellOff}
              aria-label={`${t('dashboard.findings.snooze')}: ${title}`}
              refusal={refusal(findingRoutes.snooze)}
              onClick={onSnooze}
            >
              {t('dashboard.findings.snooze')}
            </Button>
          )}
        </span>
      </header>
      {first.length > 0 && <FindingRecords finding={finding} links={links} hasList={all !== undefined} />}
    </section>
  );
}

/** The first records of a finding. Where no list has the others, they are shown here. */
function FindingRecords({ finding, links, hasList }: { finding: Finding; links: FindingLinks; hasList: boolean }) {
  const { t } = useTranslation();
  const { kind, count, first } = finding;
  const [isWhole, setIsWhole] = useState(false);
  const { paced, heed } = usePolling(findingRoutes.records);
  const { data, error, isFetching, refetch } = useListFindingRecordsQuery(isWhole ? { kind } : skipToken, {
    pollingInterval: paced(POLL_MS),
  });
  heed(error);
  // What is new since they were loaded is loaded by another press.
  const load = () => (isWhole ? void refetch() : setIsWhole(true));
  const records = unlessForbidden(data, error)?.filter(({ snooze }) => snooze === null) ?? first;
  const { drawn } = useInTurns(records.length, AT_ONCE);
  const more = t('dashboard.findings.more', { count: count - records.length });
  return (
    <>
      <ul>
        {records.slice(0, drawn).map((record) => (
          <FindingRow key={record.id} kind={kind} record={record} way={links.record(kind, record)} />
        ))}
        {count > records.length && (
          <li className="text-muted">
            {hasList ? (
              more
            ) : (
              <Button variant="link" loading={isFetching} onClick={load}>
                {more}
              </Button>
            )}
          </li>
        )}
      </ul>
      {error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
    </>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className="findings-loading" role="status">
      <span className="visually-hidden">{t('dashboard.findings.loading')}</span>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  );
}
