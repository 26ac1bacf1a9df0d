import { errorText } from '../api/http/answer-errors.ts';
import { RetryNotice } from '../components/notice/retry-notice.tsx';

interface LoadFailedProps {
  error: { message?: string; status?: unknown } | undefined;
  /** It is being loaded again. */
  busy?: boolean;
  /** Absent: retrying is not possible. */
  onRetry?: () => void;
}

/** Nothing is broken where a permission is missing, or something else is in the way. */
const IS_WARNING: unknown[] = [403, 409];

/** Why something could not be loaded, with a button to retry. */
export function LoadFailed({ error, busy, onRetry }: LoadFailedProps) {
  return (
    <RetryNotice tone={IS_WARNING.includes(error?.status) ? 'warning' : 'danger'} busy={busy} onRetry={onRetry}>
      {errorText(error ?? {})}
    </RetryNotice>
  );
}
