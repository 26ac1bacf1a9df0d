import type { Operation } from '@apotheca/contract/operations';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../components/waiting/progress-bar.tsx';
import { formatDuration } from '../lib/duration.ts';
import { messageText } from '../locales/messages.ts';

interface OperationMeterProps {
  operation: Operation;
  /** Reads out each step when it begins; for the one operation that a dialog waits for. */
  announced?: boolean;
}

/** The progress of an operation: its step in words, the bar, the elapsed time and the expected one. */
export function OperationMeter({ operation, announced = false }: OperationMeterProps) {
  const { t } = useTranslation();
  const { state, steps, step, percent } = operation;
  const isQueued = state === 'queued';
  const words = isQueued ? t('components.operation.queued') : messageText(steps[step] ?? '');
  return (
    <div className="operation-meter">
      <div className="operation-meter-line">
        <span className="operation-step" role={announced ? 'status' : undefined}>
          {words}
        </span>
        {!isQueued && (
          <span className="operation-meter-figure">
            {t('components.operation.step', { step: step + 1, steps: steps.length })}
          </span>
        )}
      </div>
      <ProgressBar label={words} percent={percent} />
      <div className="operation-meter-line">
        <OperationTime operation={operation} />
        <span className="operation-meter-figure">{t('components.operation.percent', { percent })}</span>
      </div>
    </div>
  );
}

/** '12 s of about 40 s', as far as known. */
function OperationTime({ operation: { elapsedSeconds, expectedSeconds } }: { operation: Operation }) {
  const { t } = useTranslation();
  const elapsed = formatDuration(elapsedSeconds);
  // An operation of less than a second needs no estimate.
  if (expectedSeconds === null || expectedSeconds < 1) return <span className="operation-meter-figure">{elapsed}</span>;
  const isLate = elapsedSeconds > expectedSeconds;
  return (
    <span className="operation-meter-figure">
      {t(isLate ? 'components.operation.late' : 'components.operation.time', {
        elapsed,
        expected: formatDuration(expectedSeconds),
      })}
    </span>
  );
}
