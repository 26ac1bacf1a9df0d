import '../../locales/guide.ts';
import '../guide/guide.scss';
import { BookX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { Card } from '../../components/display/card.tsx';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { GuideTask } from '../guide/guide-task.tsx';
import { taskNamed } from '../guide/tasks.ts';
import { guideTaskPath, PATHS } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** A task of the guide on a page of its own (SPEC §2.29). */
export function GuideTaskPage() {
  const { t } = useTranslation();
  const { task: name = '' } = useParams();
  const task = taskNamed(name);
  const trail = [{ label: t('guide.title'), to: PATHS.guide }];
  if (task === undefined) return <MissingTask trail={trail} />;
  return (
    <>
      <PageHeader title={t(`guide.tasks.${task}.title`)} trail={trail} />
      <Card className="guide-columns">
        <GuideTask heading="h2" task={task} link={(to, title) => <Link to={guideTaskPath(to)}>{title}</Link>} />
      </Card>
    </>
  );
}

function MissingTask({ trail }: { trail: { label: string; to: string }[] }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('guide.missing.title')} trail={trail} />
      <Card>
        <EmptyState
          icon={BookX}
          text={t('guide.missing.text')}
          action={
            <Link className="btn btn-secondary" to={PATHS.guide}>
              {t('guide.back')}
            </Link>
          }
        />
      </Card>
    </>
  );
}
