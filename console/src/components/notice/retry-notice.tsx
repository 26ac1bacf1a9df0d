import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import { Notice } from './notice.tsx';

interface RetryNoticeProps {
  /** Absent: there is no way to try again. */
  onRetry?: () => void;
  /** It is being tried again. */
  busy?: boolean;
  /** A warning where nothing is broken. */
  tone?: 'danger' | 'warning';
  /** Why it failed. */
  children: ReactNode;
}

/** Why something could not be loaded, and the way to try again. */
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
