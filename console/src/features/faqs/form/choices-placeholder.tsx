import { useTranslation } from 'react-i18next';
import { FormPlaceholder } from '../../../components/form/form-placeholder.tsx';

/** Stands where a form will be, or above it, while FAQs or sections to choose from are missing. */
export function ChoicesPlaceholder({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <FormPlaceholder
      loadingText={t('faqs.modal.loading')}
      failedText={t('faqs.modal.loadFailed')}
      isError={isError}
      onRetry={onRetry}
    />
  );
}
