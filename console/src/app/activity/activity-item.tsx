import { isEnded, type Operation } from '@apotheca/contract/operations';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { operationTitle } from '../../api/http/operation-title.ts';
import { Badge } from '../../components/display/badge.tsx';
import { classNames } from '../../lib/class-names.ts';
import { formatDuration } from '../../lib/duration.ts';
import { localMinute, zonedMinute } from '../../lib/moment.ts';
import { messageText } from '../../locales/messages.ts';
import { OperationMeter } from '../../operations/operation-meter.tsx';
import { StateBadge } from '../../operations/state-badge.tsx';
import { tenantPath } from '../navigation/paths.ts';
import { ActivityButtons } from './activity-buttons.tsx';
import { type OpenReport, Results } from './results.tsx';
import { SignOfLife } from './sign-of-life.tsx';

interface ActivityItemProps {
  operation: Operation;
  /** The list is held: nothing in it may move. */
  isHeld: boolean;
  /** The server no longer lists it. */
  isGone: boolean;
  /** Of the tenant of its database; absent: it has none. */
  tenantCode?: string;
  onReport: (report: OpenReport) => void;
}

/** One operation: its name, its progress or end, who started it and when, and its buttons. */
export function ActivityItem({ operation, isHeld, isGone, tenantCode, onReport }: ActivityItemProps) {
  const { t } = useTranslation();
  const { state, message } = operation;
  const what = operationTitle(t, operation);
  return (
    <li className={classNames('activity-item', isGone && 'is-gone')}>
      <div className="activity-item-head">
        <strong>{tenantCode === undefined ? what : <Link to={tenantPath(tenantCode)}>{what}</Link>}</strong>
        {isGone ? <Badge tone="muted">{t('activity.gone')}</Badge> : <StateBadge state={state} />}
      </div>
      {!isEnded(state) && <OperationMeter operation={operation} />}
      <SignOfLife operation={operation} />
      {message !== '' && <p className="activity-message">{messageText(message)}</p>}
      <div className="activity-item-foot">
        <Started operation={operation} />
        <Results operation={operation} what={what} onReport={onReport} />
        <ActivityButtons {...{ operation, what, isHeld, isGone }} />
      </div>
    </li>
  );
}

/** 'ada, 2026-03-04 10:30 · took 12 s' */
function Started({ operation: { startedBy, createdOnUtc, state, elapsedSeconds } }: { operation: Operation }) {
  const { t } = useTranslation();
  const moment = new Date(createdOnUtc);
  const parts = [t('activity.started', { who: startedBy, when: localMinute(moment) })];
  if (isEnded(state)) parts.push(t('activity.took', { duration: formatDuration(elapsedSeconds) }));
  return (
    <time className="activity-started num" dateTime={createdOnUtc} title={zonedMinute(moment)}>
      {parts.join(' · ')}
    </time>
  );
}
