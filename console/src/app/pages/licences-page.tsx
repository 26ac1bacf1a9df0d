import { useTranslation } from 'react-i18next';
import { LicencesTable } from '../../features/licences/licences-table.tsx';
import { tenantPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** Licence Management: what each tenant has subscribed to (SPEC §2.12). */
export function LicencesPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('licences.title')} />
      <LicencesTable tenantLink={tenantPath} />
    </>
  );
}
