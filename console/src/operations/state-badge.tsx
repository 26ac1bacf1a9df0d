import type { OperationState } from '@apotheca/contract/operations';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../components/display/badge.tsx';

const TONES: Record<OperationState, Tone> = {
  queued: 'muted',
  running: 'info',
  succeeded: 'success',
  failed: 'danger',
  cancelled: 'warning',
};

/** The state of an operation in a word. */
export function StateBadge({ state }: { state: OperationState }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[state]}>{t(`activity.states.${state}`)}</Badge>;
}
