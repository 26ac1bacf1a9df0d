import { ListChecks } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/icon-button.tsx';
import { lazyPage } from '../navigation/lazy-page.tsx';
import { useOperations } from './use-operations.ts';

const ActivityPanel = lazyPage(async () => (await import('./activity-panel.tsx')).ActivityPanel);

/**
 * The button of the top bar that shows how many operations are running and opens the panel with all of them (DECISIONS
 * §8).
 */
export function Activity() {
  const { t } = useTranslation();
  const panelId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { running, ...operations } = useOperations();

  function toggle() {
    if (!isOpen) operations.onRetry();
    setOpen(!isOpen);
  }
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
        label={t('activity.open', { count: running })}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={toggle}
      />
      {running > 0 && (
        <span className="activity-count" aria-hidden="true">
          {running}
        </span>
      )}
      {/* Outside of the bar, which would clip the panel. */}
      {isOpen &&
        createPortal(
          <Suspense>
            <ActivityPanel {...operations} id={panelId} onClose={close} />
          </Suspense>,
          document.body,
        )}
    </div>
  );
}
