import { FileQuestionMark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useErrorToast } from '../../../api/http/use-error-toast.ts';
import { Card } from '../../../components/display/card.tsx';
import { EmptyState } from '../../../components/notice/empty-state.tsx';
import { Overlay } from '../../../components/waiting/overlay.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { isApiError } from '../../../transport/api-error.ts';

interface MissingParentProps {
  kind: 'faq' | 'section';
  /** 'missing' if no record has the id; otherwise why it could not be loaded; absent while it is loaded. */
  error: 'missing' | { message?: string } | undefined;
  backTo: string;
  onRetry: () => void;
}

/** Whether a record was not found. An invalid id in the address is refused in the same way (DECISIONS §3). */
export const isUnknown = (error: unknown): boolean =>
  isApiError(error) && (error.status === 404 || error.status === 400);

/** Stands in place of a list while its FAQ or section is loaded, or could not be. */
export function MissingParent({ kind, error, backTo, onRetry }: MissingParentProps) {
  const { t } = useTranslation();
  const failure = error === 'missing' ? undefined : error;
  useErrorToast(failure);
  if (error === undefined) {
    return (
      <Card className="faq-loading">
        <Overlay label={t('faqs.missing.loading')} />
      </Card>
    );
  }
  if (failure) {
    return <LoadFailed error={failure} onRetry={onRetry} />;
  }
  return (
    <Card>
      <EmptyState
        icon={FileQuestionMark}
        title={t(`faqs.missing.${kind}`)}
        text={t('faqs.missing.text')}
        action={
          <Link className="btn btn-secondary" to={backTo}>
            {t('faqs.missing.back')}
          </Link>
        }
      />
    </Card>
  );
}
