import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/answer-errors.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

interface LoadFailedProps {
  error: { message?: string };
  /** It is being loaded again. */
  busy: boolean;
  onRetry: () => void;
}

/** Why a part of the dashboard could not be loaded; what was loaded before stays below it. */
export function LoadFailed({ error, busy, onRetry }: LoadFailedProps) {
  const { t } = useTranslation();
  const retry = (
    <Button variant="secondary" size="small" loading={busy} onClick={onRetry}>
      {t('dashboard.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {errorText(error)}
    </Notice>
  );
}
