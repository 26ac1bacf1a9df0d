import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from '../button/button.tsx';
import { Notice } from './notice.tsx';

/** Why an attempt failed, and what to do about it. */
export interface Failure {
  /** The cause. */
  text: string;
  /** The next step; absent: the cause says it. */
  next?: string;
  /** The same attempt may succeed later. */
  canRetry: boolean;
}

/** What the button Retry does: the same as the button of the attempt, with what is typed now. */
export type Retry = Pick<ButtonProps, 'type' | 'form' | 'onClick'>;

interface FailureNoticeProps {
  failure: Failure;
  title?: string;
  /** Absent: it cannot be tried as things are. */
  retry?: Retry;
}

/** Cause, next step and Retry. It has no role alert, as the toast of the failure was read out already. */
export function FailureNotice({ failure: { text, next, canRetry }, title, retry }: FailureNoticeProps) {
  const { t } = useTranslation();
  const button = canRetry && retry && (
    <Button variant="secondary" size="small" {...retry}>
      {t('components.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" title={title} action={button}>
      <span>{text}</span> {next && <span>{next}</span>}
    </Notice>
  );
}
