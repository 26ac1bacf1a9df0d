import type { Outcome } from '@apotheca/contract/audit';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../components/display/badge.tsx';

const TONES: Record<Outcome, Tone> = { succeeded: 'success', failed: 'warning', refused: 'danger' };

/** What came of an action. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[outcome]}>{t(`audit.outcomes.${outcome}`)}</Badge>;
}
