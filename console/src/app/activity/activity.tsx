import { ListChecks } from 'lucide-react';
import { type ComponentProps, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { IconButton } from '../../components/button/icon-button.tsx';
import { useCardScreen } from '../../components/data-table/use-media.ts';
import { useNotLoaded } from '../../components/toast/use-not-loaded.ts';
import { classNames } from '../../lib/class-names.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useTopBarRequest } from '../navigation/top-bar.ts';
import type { ActivityPanel } from './activity-panel.tsx';
import { useOperations } from './use-operations.ts';
import { useUnseenFailures } from './use-unseen-failures.ts';

const usePanel = lazyPart(async () => (await import('./activity-panel.tsx')).ActivityPanel);

/**
 * The button of the top bar that opens the panel with all operations (DECISIONS §8). It shows how many have failed since the panel
 * was last open, else how many are running.
 */
export function Activity() {
  const { t } = useTranslation();
  const panelId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { running, ...operations } = useOperations();
  const failures = useUnseenFailures(operations.operations, isOpen);
  const parts = [
    running > 0 && t('activity.running', { count: running }),
    failures > 0 && t('activity.failures', { count: failures }),
  ];
  const news = parts.filter((part) => part !== false).join(', ');

  useRoomMade(isOpen, () => setOpen(false));

  function open() {
    operations.onRetry();
    setOpen(true);
  }
  useTopBarRequest('activity', open);
  function close() {
    setOpen(false);
    button.current?.focus();
  }
  return (
    <div className="activity">
      <IconButton
        ref={button}
        id="activity-toggle"
        icon={ListChecks}
        label={news === '' ? t('activity.title') : t('activity.open', { news })}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={isOpen ? () => setOpen(false) : open}
      />
      {(running > 0 || failures > 0) && (
        <span className={classNames('activity-count', failures > 0 && 'has-failures')} aria-hidden="true">
          {failures || running}
        </span>
      )}
      {/* Outside of the bar, which would clip the panel. */}
      {isOpen && createPortal(<OpenPanel {...operations} id={panelId} onClose={close} />, document.body)}
    </div>
  );
}

/** Where the panel covers the page, it makes room for what a link in it leads to. */
function useRoomMade(isOpen: boolean, onLeave: () => void) {
  const { key } = useLocation();
  const covers = useCardScreen();
  const leave = useEffectEvent(() => {
    if (!isOpen || !covers) return;
    onLeave();
    document.getElementById('content')?.focus({ preventScroll: true });
  });
  const last = useRef(key);
  useEffect(() => {
    if (last.current !== key) leave();
    last.current = key;
  }, [key]);
}

function OpenPanel(props: ComponentProps<typeof ActivityPanel>) {
  const { t } = useTranslation();
  const { value: Panel, isError } = usePanel();
  useNotLoaded(isError, t('activity.notLoaded'), props.onClose);
  return Panel && <Panel {...props} />;
}
