import type { Hint } from '@apotheca/contract/hints';
import { Lightbulb } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useDismissHintMutation, useGetHintQuery } from '../../api/hints.ts';
import { showError } from '../../api/http/answer-errors.ts';
import { Button } from '../../components/button/button.tsx';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import './hint-card.scss';

/** Where a hint leads: an address, and the state that opens a dialog there. */
export interface HintWay {
  to: string;
  state?: unknown;
}

interface HintCardProps {
  ways: Readonly<Record<Hint, HintWay>>;
  /** Opens the guide at the task of a hint. */
  onHelp: (hint: Hint) => void;
}

/**
 * The next useful thing that is not done yet, one at a time (SPEC §2.29). Nothing to see while it is loaded, and nothing where it cannot
 * be: it is no more than a hint.
 */
export function HintCard({ ways, onHelp }: HintCardProps) {
  const { t } = useTranslation();
  const { data, isLoading } = useGetHintQuery(undefined, { refetchOnMountOrArgChange: true });
  const [dismiss] = useDismissHintMutation();
  const { run, isBusy } = useOneAtATime();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const isDismissed = useRef(false);
  // One that only a newer server knows is none here.
  const hint = data?.hint && Object.hasOwn(ways, data.hint) ? data.hint : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another hint, or none, has taken the place of a dismissed one.
  useEffect(() => {
    if (!isDismissed.current) return;
    isDismissed.current = false;
    (card.current ?? document.getElementById('content'))?.focus();
  }, [hint]);
  if (isLoading) return <div className="is-loading" hidden />;
  if (hint === undefined) return null;

  async function leave(shown: Hint) {
    isDismissed.current = true;
    const outcome = await run(() => dismiss({ hint: shown }));
    if (!outcome?.error) return;
    isDismissed.current = false;
    showError(outcome.error);
  }
  return (
    <section ref={card} className="hint-card" aria-label={t('hints.label')} aria-describedby={titleId} tabIndex={-1}>
      <Lightbulb className="icon" aria-hidden="true" />
      <div className="hint-text">
        <h2 id={titleId}>{t(`hints.${hint}.title`)}</h2>
        <p>{t(`hints.${hint}.text`)}</p>
      </div>
      <div className="hint-actions">
        <Link className="btn btn-primary btn-sm" to={ways[hint].to} state={ways[hint].state}>
          {t(`hints.${hint}.do`)}
        </Link>
        <Button variant="secondary" size="small" onClick={() => onHelp(hint)}>
          {t('help.how')}
        </Button>
        <Button variant="link" size="small" loading={isBusy} onClick={() => void leave(hint)}>
          {t('hints.dismiss')}
        </Button>
      </div>
    </section>
  );
}
