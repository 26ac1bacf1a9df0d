import { CircleQuestionMark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { IconButton } from '../../components/button/icon-button.tsx';
import { GUIDE_PANEL_ID } from './guide-host.tsx';
import { GUIDE_BUTTON_ID, useGuide } from './guide-provider.tsx';
import { tasksAt } from './tasks.ts';

/** The button of the top bar that opens and closes the guide beside the screen. */
export function GuideButton() {
  const { t } = useTranslation();
  const { shown, open, close } = useGuide();
  return (
    <IconButton
      id={GUIDE_BUTTON_ID}
      icon={CircleQuestionMark}
      label={t('help.open')}
      aria-expanded={shown !== undefined}
      aria-controls={shown ? GUIDE_PANEL_ID : undefined}
      onClick={shown ? close : open}
    />
  );
}

/** Beside the heading of a screen: opens the guide at what helps there. Nothing where no task does. */
export function ScreenHelp({ screen }: { screen: string }) {
  const { t } = useTranslation();
  const { show } = useGuide();
  const { pathname } = useLocation();
  const [task, ...others] = tasksAt(pathname);
  if (task === undefined) return null;
  return (
    <IconButton
      icon={CircleQuestionMark}
      label={t('help.screen', { screen })}
      onClick={() => show(others.length === 0 ? { task } : {})}
    />
  );
}
