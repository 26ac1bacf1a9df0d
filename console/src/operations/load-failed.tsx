import { errorText } from '../api/http/answer-errors.ts';
import { RetryNotice } from '../components/notice/retry-notice.tsx';

interface LoadFailedProps {
  error: { message?: string; status?: unknown } | undefined;
  /** It is being loaded again. */
  busy?: boolean;
  /** Absent: retrying is not possible. */
  onRetry?: () => void;
}

/**
 * Why something could not be loaded, with a button to retry. A conflict is shown as a warning, as nothing is broken.
 */
export function LoadFailed({ error, busy, onRetry }: LoadFailedProps) {
  return (
    <RetryNotice tone={error?.status === 409 ? 'warning' : 'danger'} busy={busy} onRetry={onRetry}>
      {errorText(error ?? {})}
    </RetryNotice>
  );
}
