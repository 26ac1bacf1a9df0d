import type { SecondFactorStep } from '@apotheca/contract/sign-in-step';
import { useTranslation } from 'react-i18next';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { lazyPart } from '../../../lib/lazy-part.ts';

const useSecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

interface SecondStepPartProps {
  step: SecondFactorStep['secondFactor'];
  onBack: () => void;
}

/** The second step of a sign-in, which is loaded when one is asked for. */
export function SecondStepPart(props: SecondStepPartProps) {
  const { t } = useTranslation();
  const { value: SecondStep, isError, retry } = useSecondStep();
  if (SecondStep) return <SecondStep {...props} />;
  if (isError) return <RetryNotice onRetry={retry}>{t('errors.chunk')}</RetryNotice>;
  return <Spinner large variant="primary" label={t('components.loading')} />;
}
