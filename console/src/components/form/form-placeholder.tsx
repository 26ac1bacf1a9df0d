import { RetryNotice } from '../notice/retry-notice.tsx';
import { Overlay } from '../waiting/overlay.tsx';

interface FormPlaceholderProps {
  /** What is being loaded. */
  loadingText: string;
  /** What could not be loaded. */
  failedText: string;
  isError: boolean;
  onRetry: () => void;
}

/** Stands in place of a form while its choices are loaded, or could not be. */
export function FormPlaceholder({ loadingText, failedText, isError, onRetry }: FormPlaceholderProps) {
  if (!isError) return <Overlay label={loadingText} />;
  return <RetryNotice onRetry={onRetry}>{failedText}</RetryNotice>;
}
