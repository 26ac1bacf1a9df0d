import { SquareDashed } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { PageHeader } from './page-header.tsx';

/** Blank Page (SPEC §2.1): a page with nothing on it. */
export function BlankPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('main.page.blank')} />
      <Card>
        <EmptyState icon={SquareDashed} title={t('placeholders.blank.title')} text={t('placeholders.blank.text')} />
      </Card>
    </>
  );
}
