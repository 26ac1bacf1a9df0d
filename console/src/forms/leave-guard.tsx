import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx';
import { useUnsavedGuard } from '../components/dialog/use-unsaved-guard.ts';

/**
 * Asks before a link, the palette, a toast, Back or a reload leaves a page on which something was changed and not saved. A dialog
 * asks by itself.
 */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ show: boolean; leave: () => unknown }>();
  const ask = (leave: () => unknown) => setAsked({ show: true, leave });
  // The guard's own entry lies above that of the page.
  useUnsavedGuard(dirty, { onBack: () => ask(() => navigate(-2)), onLeave: ask });
  const handleClick = useEffectEvent((event: MouseEvent) => {
    const to = addressOf(event);
    if (to === undefined) return;
    event.preventDefault();
    // Nor does the router's link go there.
    event.stopPropagation();
    ask(() => navigate(to));
  });
  useEffect(() => {
    if (!dirty) return;
    const listener = (event: MouseEvent) => handleClick(event);
    document.addEventListener('click', listener, true);
    return () => document.removeEventListener('click', listener, true);
  }, [dirty]);
  if (!asked) return null;
  const stay = () => setAsked({ ...asked, show: false });
  return (
    <ConfirmDialog
      show={asked.show}
      title={t('components.modal.discard.question')}
      message={t('leaving.message')}
      confirmLabel={t('components.modal.discard.close')}
      onConfirm={() => {
        stay();
        asked.leave();
      }}
      onCancel={stay}
    />
  );
}

/** Where a click leads within this tab of the console; undefined: elsewhere, or nowhere. */
function addressOf({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): string | undefined {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) return undefined;
  const link = target.closest<HTMLAnchorElement>('a[href]');
  if (link?.target !== '' || link.origin !== window.location.origin) return undefined;
  const { pathname, search, hash } = link;
  // A place on this page.
  if (hash !== '' && pathname === window.location.pathname && search === window.location.search) return undefined;
  return pathname + search + hash;
}
