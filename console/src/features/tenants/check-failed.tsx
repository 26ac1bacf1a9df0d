import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/answer-errors.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

interface CheckFailedProps {
  error: { message?: string; status?: unknown } | undefined;
  /** It is being asked again. */
  busy: boolean;
  onRetry: () => void;
}

/** Why a load failed, and a way to try again; a conflict is a warning, as nothing is broken. */
export function CheckFailed({ error, busy, onRetry }: CheckFailedProps) {
  const { t } = useTranslation();
  const retry = (
    <Button variant="secondary" size="small" loading={busy} onClick={onRetry}>
      {t('tenants.modal.retry')}
    </Button>
  );
  return (
    <Notice tone={error?.status === 409 ? 'warning' : 'danger'} role="alert" action={retry}>
      {errorText(error ?? {})}
    </Notice>
  );
}
