import type { Finding } from '@apotheca/contract/reconciliation';
import { useTranslation } from 'react-i18next';

/** What a finding is about, with its server where there are several. */
export function useSubject({ subject, server }: Finding): string {
  const { t } = useTranslation();
  return server === undefined ? subject : t('databases.reconciliation.onServer', { subject, server });
}
