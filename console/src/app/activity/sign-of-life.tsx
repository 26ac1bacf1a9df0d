import type { Operation } from '@apotheca/contract/operations';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/duration.ts';
import { selectSession } from '../../session/session-slice.ts';
import { useAppSelector } from '../state/store.ts';

/** Seconds without a heartbeat after which the line appears. A running server notes a heartbeat each second. */
const SILENCE = 15;

/**
 * Says that the server has not worked on a running operation for a while: it may have been killed, and will continue.
 */
export function SignOfLife({ operation: { state, heartbeatOnUtc } }: { operation: Operation }) {
  const { t } = useTranslation();
  const { clockOffset } = useAppSelector(selectSession);
  if (state !== 'running' || heartbeatOnUtc === null) return null;
  const silence = Date.now() / 1000 + clockOffset - Date.parse(heartbeatOnUtc) / 1000;
  if (silence <= SILENCE) return null;
  return <p className="activity-silent">{t('activity.silent', { duration: formatDuration(silence) })}</p>;
}
