import { isEnded, type OperationState } from '@apotheca/contract/operations';
import type { ReactNode } from 'react';
import { Moment } from '../components/display/moment.tsx';
import { StateBadge } from './state-badge.tsx';

interface ReportStateProps {
  /** Who has started it, in words. */
  started: string;
  startedOnUtc: string;
  state: OperationState;
  /** How many have come to which end, in words. */
  children: ReactNode;
}

/** The first line of a report: who started what it tells of, when, and how it stands. */
export function ReportState({ started, startedOnUtc, state, children }: ReportStateProps) {
  const isOver = isEnded(state);
  return (
    <p>
      <span role="status">
        {started} <Moment moment={startedOnUtc} /> <StateBadge state={state} /> {isOver && children}
      </span>
      {/* They change with each poll: read out every time, they would drown everything else. */}
      {!isOver && children}
    </p>
  );
}
