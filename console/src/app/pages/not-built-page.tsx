import { Hammer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../layout/page-header.tsx';

type PageName = keyof typeof import('../../locales/en.json')['main']['page'];

/** Stands at a route of SPEC §2.1 whose screen is not there yet. */
export function NotBuiltPage({ page }: { page: PageName }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t(`main.page.${page}`)} />
      <Card>
        <EmptyState icon={Hammer} text={t('main.notBuilt')} />
      </Card>
    </>
  );
}
