import { MapPinOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { PATHS } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** An address that the console does not have; shown inside the layout. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={t('main.notFound.title')} />
      <Card>
        <EmptyState
          icon={MapPinOff}
          text={t('main.notFound.text', { path: pathname })}
          action={<Link to={PATHS.dashboard}>{t('main.notFound.action')}</Link>}
        />
      </Card>
    </>
  );
}
