import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

/** Why a dialog has nothing to show, and the way to try again. */
export function LoadError({ message, onRetry }: { message?: string; onRetry: () => void }) {
  const { t } = useTranslation();
  const retry = (
    <Button variant="secondary" size="small" onClick={onRetry}>
      {t('databases.modal.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {message ?? t('session.errors.unknown')}
    </Notice>
  );
}
