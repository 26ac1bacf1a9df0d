import type { TFunction } from 'i18next';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { useLostFocus } from '../../components/data-table/use-lost-focus.ts';
import { DIALOG, type DraftParts, DraftsContext, TITLE } from '../../components/form/drafts.ts';
import { Notice } from '../../components/notice/notice.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { formatAgo } from '../../lib/ago.ts';
import { keepBeforeReload } from '../../lib/reload-document.ts';
import { selectSession } from '../../session/session-slice.ts';
import { dialogIn } from '../navigation/opened-dialog.ts';
import { screenOf } from '../navigation/paths.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { beginWork, type DraftWork } from './draft-work.ts';
import { canKeepDrafts, type Draft, discard, findDrafts, isDraft } from './sealed-drafts.ts';

/**
 * Keeps what is typed on a screen, and offers what was typed there before and not saved (decision 062). Opens the dialog that
 * the way to the screen names (decision 064).
 */
export function DraftsOfScreen({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { id: user } = useAppSelector(selectSession);
  const location = useLocation();
  const screen = screenOf(location);
  const work = useMemo(() => beginWork(dispatch, user, screen), [dispatch, user, screen]);
  useEffect(() => () => void work.leave(), [work]);
  useEffect(() => keepBeforeReload(work.keepNow), [work]);
  const [resumed, setResumed] = useState<{ work: DraftWork; parts: DraftParts }>();
  const { offers, withdraw } = useOffers(user, screen);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const trackFocus = useLostFocus(box?.closest('main') ?? null);
  const parts = resumed?.work === work ? resumed.parts : undefined;
  const [forget] = useState(() => () => setResumed(undefined));
  const drafts = useMemo(() => ({ resumed: parts, keep: work.keep, forget }), [parts, work, forget]);

  useEffect(() => {
    const dialog = dialogIn(location.state);
    if (!dialog) return;
    setResumed({ work, parts: { [DIALOG]: dialog } });
    // A reload, or Back, does not open it once more.
    void navigate(location, { replace: true, state: null });
  }, [work, location, navigate]);

  function resume(draft: Draft) {
    withdraw(draft);
    setResumed({ work, parts: work.resume(draft) });
  }
  function handleDiscard(draft: Draft, { detail: clicks }: MouseEvent) {
    // The next draft comes to the place of this one: a double click is for one of them.
    if (clicks > 1) return;
    withdraw(draft);
    notify.successWithDetail(t('drafts.discarded'), textOf(t, draft), {
      label: t('components.toast.undo'),
      onSelect: discard(draft.id),
    });
  }
  return (
    <DraftsContext value={drafts}>
      <div ref={setBox} {...trackFocus}>
        {offers.map((draft) => (
          <Offer
            key={draft.id}
            draft={draft}
            onResume={() => resume(draft)}
            onDiscard={(event) => handleDiscard(draft, event)}
          />
        ))}
      </div>
      {children}
    </DraftsContext>
  );
}

/**
 * The drafts of a user on a screen that no tab has open: as the screen is opened, when another tab changes one, and when one that was
 * left in this tab is kept, as Retry may be quicker than the key.
 */
function useOffers(user: string, screen: string) {
  const dispatch = useAppDispatch();
  const [found, setFound] = useState<{ place: string; drafts: Draft[] }>();
  const place = `${user} ${screen}`;
  useEffect(() => {
    if (!canKeepDrafts()) return;
    let isOpen = true;
    async function look() {
      // Without the keys nothing is offered this time.
      const drafts = await findDrafts(dispatch, user, screen).catch(() => []);
      if (isOpen) setFound({ place, drafts });
    }
    const follow = ({ key }: StorageEvent) => isDraft(key) && void look();
    void look();
    window.addEventListener('storage', follow);
    return () => {
      isOpen = false;
      window.removeEventListener('storage', follow);
    };
  }, [dispatch, user, screen, place]);
  const offers = found?.place === place ? found.drafts : [];
  const withdraw = ({ id }: Draft) => setFound({ place, drafts: offers.filter((draft) => draft.id !== id) });
  return { offers, withdraw };
}

/** Where it was typed, and how long ago. */
function textOf(t: TFunction, { at, parts }: Draft): string {
  const title = parts[TITLE];
  const what = typeof title === 'string' ? title : t('drafts.here');
  return t('drafts.what', { what, ago: formatAgo(new Date(at).toISOString()) });
}

interface OfferProps {
  draft: Draft;
  onResume: () => void;
  onDiscard: (event: MouseEvent) => void;
}

function Offer({ draft, onResume, onDiscard }: OfferProps) {
  const { t } = useTranslation();
  const buttons = (
    <div className="draft-offer-actions">
      <Button size="small" variant="secondary" onClick={onDiscard}>
        {t('drafts.discard')}
      </Button>
      <Button size="small" onClick={onResume}>
        {t('drafts.resume')}
      </Button>
    </div>
  );
  return (
    <div className="draft-offer">
      <Notice tone="info" role="status" title={t('drafts.title')} action={buttons}>
        {textOf(t, draft)}
      </Notice>
    </div>
  );
}
