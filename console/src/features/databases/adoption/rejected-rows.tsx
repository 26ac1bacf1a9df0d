import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDownloadRejectedRowsMutation } from '../../../api/adoptions.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { Button } from '../../../components/button/button.tsx';
import { formatCount } from '../../../lib/numbers.ts';
import { useRefusal } from '../../../rights/rights.tsx';

/** How many rows were rejected when a database was adopted, and their download. */
export function RejectedRows({ databaseName, rejected }: { databaseName: string; rejected: number }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [download, { isLoading }] = useDownloadRejectedRowsMutation();
  return (
    <>
      <p>{t('databases.adoption.report.kept', { count: rejected, rows: formatCount(rejected) })}</p>
      <Button
        variant="secondary"
        size="small"
        icon={Download}
        loading={isLoading}
        refusal={refusal(adoptionRoutes.downloadRejected)}
        onClick={() => void download({ databaseName }).unwrap().catch(showError)}
      >
        {t('databases.adoption.report.download')}
      </Button>
    </>
  );
}
