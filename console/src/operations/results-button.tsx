import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { showError } from '../api/http/answer-errors.ts';
import { useDownloadResultsMutation } from '../api/operations.ts';
import { Button } from '../components/button/button.tsx';

/** Downloads what an operation did with each of its rows, as CSV. */
export function ResultsButton({ operationId }: { operationId: string }) {
  const { t } = useTranslation();
  const [download, { isLoading }] = useDownloadResultsMutation();
  return (
    <Button
      variant="secondary"
      size="small"
      icon={Download}
      loading={isLoading}
      onClick={() => void download({ id: operationId }).unwrap().catch(showError)}
    >
      {t('activity.results.download')}
    </Button>
  );
}
