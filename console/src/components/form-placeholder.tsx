import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Overlay } from './overlay.tsx';

interface FormPlaceholderProps {
  /** What is being loaded. */
  loadingText: string;
  /** What could not be loaded. */
  failedText: string;
  retryText: string;
  isError: boolean;
  onRetry: () => void;
}

/** Stands where a form will be while what it offers to choose from is not there. */
export function FormPlaceholder({ loadingText, failedText, retryText, isError, onRetry }: FormPlaceholderProps) {
  if (!isError) return <Overlay label={loadingText} />;
  const retry = (
    <Button variant="secondary" size="small" onClick={onRetry}>
      {retryText}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {failedText}
    </Notice>
  );
}
