import { ListTree } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { PageHeader } from './page-header.tsx';

/** SubMenu Page (SPEC §2.1), which has two addresses. */
export function SubMenuPage({ place }: { place: 'first' | 'second' }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('main.page.subMenu')} />
      <Card>
        <EmptyState icon={ListTree} title={t(`placeholders.subMenu.${place}`)} text={t('placeholders.subMenu.text')} />
      </Card>
    </>
  );
}
