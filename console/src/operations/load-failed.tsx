import { errorText } from '../api/http/answer-errors.ts';
import { RetryNotice } from '../components/notice/retry-notice.tsx';

interface LoadFailedProps {
  error: { message?: string; status?: unknown } | undefined;
  /** It is being loaded again. */
  busy?: boolean;
  /** Absent: there is no way to try again. */
  onRetry?: () => void;
}

/** Why something could not be loaded or found out, and a way to try again; a conflict is a warning, as nothing is broken. */
export function LoadFailed({ error, busy, onRetry }: LoadFailedProps) {
  return (
    <RetryNotice tone={error?.status === 409 ? 'warning' : 'danger'} busy={busy} onRetry={onRetry}>
      {errorText(error ?? {})}
    </RetryNotice>
  );
}
