import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import { Notice } from './notice.tsx';

interface RetryNoticeProps {
  /** Absent: retrying is not possible. */
  onRetry?: () => void;
  /** A retry is running. */
  busy?: boolean;
  /** `warning` where nothing is broken. */
  tone?: 'danger' | 'warning';
  /** Why it failed. */
  children: ReactNode;
}

/** Why something could not be loaded, with a button to retry. */
export function RetryNotice({ onRetry, busy = false, tone = 'danger', children }: RetryNoticeProps) {
  const { t } = useTranslation();
  const retry = onRetry && (
    <Button variant="secondary" size="small" loading={busy} onClick={onRetry}>
      {t('components.retry')}
    </Button>
  );
  return (
    <Notice tone={tone} role="alert" action={retry}>
      {children}
    </Notice>
  );
}
