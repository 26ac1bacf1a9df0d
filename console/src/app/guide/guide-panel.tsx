import '../../locales/guide.ts';
import './guide.scss';
import { ArrowLeft, ExternalLink, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Button, IconButton } from '../../components/button/button.tsx';
import { guideTaskPath, PATHS } from '../navigation/paths.ts';
import { GuideList } from './guide-list.tsx';
import type { Shown } from './guide-provider.tsx';
import { GuideTask } from './guide-task.tsx';
import { type TaskName, tasksAt } from './tasks.ts';

interface GuidePanelProps {
  id: string;
  shown: Shown;
  onShow: (shown: Shown) => void;
  /** A screen was chosen. */
  onScreen: () => void;
  onClose: () => void;
}

/** The guide beside the screen, which stays usable. Escape or its button closes it. */
export function GuidePanel({ id, shown: { task }, onShow, onScreen, onClose }: GuidePanelProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const panel = useRef<HTMLElement>(null);
  // What was chosen in it is gone, and with it the focus. Before it is painted: Escape may come at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the begin, and whenever it shows something else.
  useLayoutEffect(() => {
    panel.current?.focus();
    panel.current?.scrollTo?.({ top: 0 });
  }, [task]);
  const link = (to: TaskName, title: string) => (
    <Button variant="link" onClick={() => onShow({ task: to })}>
      {title}
    </Button>
  );
  return (
    <aside
      id={id}
      ref={panel}
      tabIndex={-1}
      className="guide-panel"
      aria-label={t('guide.title')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="guide-panel-header">
        <h2>{t('guide.title')}</h2>
        <Link
          className="icon-button"
          to={task === undefined ? PATHS.guide : guideTaskPath(task)}
          aria-label={t('guide.page')}
          title={t('guide.page')}
        >
          <ExternalLink className="icon" aria-hidden="true" />
        </Link>
        <IconButton label={t('guide.close')} icon={X} onClick={onClose} />
      </div>
      {task === undefined ? (
        <GuideList heading="h3" here={tasksAt(pathname)} link={link} />
      ) : (
        <>
          <Button variant="link" icon={ArrowLeft} onClick={() => onShow({})}>
            {t('guide.back')}
          </Button>
          <h3 className="guide-task-title">{t(`guide.tasks.${task}.title`)}</h3>
          <GuideTask heading="h4" task={task} link={link} onScreen={onScreen} />
        </>
      )}
    </aside>
  );
}
