import '../../locales/guide.ts';
import '../guide/guide.scss';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Card } from '../../components/display/card.tsx';
import { GuideList } from '../guide/guide-list.tsx';
import { guideTaskPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** The guide: all tasks, and a search in them (SPEC §2.29). */
export function GuidePage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('guide.title')} />
      <Card className="guide-columns">
        <GuideList heading="h2" link={(task, title) => <Link to={guideTaskPath(task)}>{title}</Link>} />
      </Card>
    </>
  );
}
