import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { api } from '../api/http/client.ts';
import { useMeQuery } from '../api/profile.ts';
import { prepareToasts } from '../components/toast/toast.tsx';
import { Overlay } from '../components/waiting/overlay.tsx';
import { TrailLinkContext, type TrailRecord } from '../history/trail-link.ts';
import { KeptLayouts } from '../lists/layouts.tsx';
import { keepListsFresh } from '../lists/list-freshness.ts';
import '../lib/message-moments.ts';
import { RightsProvider } from '../rights/rights.tsx';
import { selectIsAway } from '../session/session-slice.ts';
import { MainLayout } from './layout/main-layout.tsx';
import { PATHS } from './navigation/paths.ts';
import { watchNavigation } from './navigation/watch-navigation.ts';
import { loadPageData } from './page-data.ts';
import { ProofHost } from './proof-host.tsx';
import { addApi } from './state/api-store.ts';
import { type AppStore, useAppDispatch, useAppSelector, useAppStore } from './state/store.ts';
import { useOwnLanguage } from './use-own-language.ts';
// Here, as pages share it: none of them waits for a style sheet of its own.
import '../history/history.scss';

/** Enables a store to make the calls of the protected pages, and asks for what the page at an address reads. */
export function beginCalls(store: AppStore, address: { pathname: string; search: string }): void {
  addApi(store);
  loadPageData(store.dispatch, address);
}

/** What is loaded for a user who is signed in: the frame of the protected pages, and all that makes their calls. */
export function SignedIn() {
  const store = useAppStore();
  const address = useLocation();
  const [isComplete, setComplete] = useState(false);
  // The page's own code may not be there yet.
  const begin = useEffectEvent(() => beginCalls(store, address));
  useLayoutEffect(() => {
    begin();
    prepareToasts();
    setComplete(true);
  }, []);
  useEffect(() => watchNavigation((next) => loadPageData(store.dispatch, next)), [store]);
  useEffect(() => keepListsFresh(store.dispatch), [store]);
  return isComplete && <CheckedLayout />;
}

const trailPath = ({ entity, id }: TrailRecord) => `${PATHS.audit}?${new URLSearchParams({ entity, entityId: id })}`;

/** A spinner lies over the page while the server checks the session. */
function CheckedLayout() {
  const { t } = useTranslation();
  const { isLoading } = useMeQuery();
  useOwnLanguage();
  useNewestUser();
  return (
    <RightsProvider>
      <KeptLayouts>
        <TrailLinkContext value={trailPath}>
          <MainLayout />
        </TrailLinkContext>
      </KeptLayouts>
      <ProofHost />
      {isLoading && (
        <div className="session-check">
          <Overlay label={t('layout.checkingSession')} />
        </div>
      )}
    </RightsProvider>
  );
}

/** Asks anew who is signed in and what they may do, once they have come back: another role is a reason for the end of a session. */
function useNewestUser() {
  const dispatch = useAppDispatch();
  const isAway = useAppSelector(selectIsAway);
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) dispatch(api.util.invalidateTags(['Account']));
    wasAway.current = isAway;
  }, [dispatch, isAway]);
}
