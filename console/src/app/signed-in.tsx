import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeQuery } from '../api/profile.ts';
import { prepareToasts } from '../components/toast/toast.tsx';
import { Overlay } from '../components/waiting/overlay.tsx';
import { MainLayout } from './layout/main-layout.tsx';
import { addApi } from './state/api-store.ts';
import { useAppStore } from './state/store.ts';

/** What is loaded for a user who is signed in: the frame of the protected pages, and all that makes their calls. */
export function SignedIn() {
  const store = useAppStore();
  const [isComplete, setComplete] = useState(false);
  useLayoutEffect(() => {
    addApi(store);
    prepareToasts();
    setComplete(true);
  }, [store]);
  return isComplete && <CheckedLayout />;
}

/** A spinner lies over the page while the server checks the session. */
function CheckedLayout() {
  const { t } = useTranslation();
  const { isLoading } = useMeQuery();
  return (
    <>
      <MainLayout />
      {isLoading && (
        <div className="session-check">
          <Overlay label={t('layout.checkingSession')} />
        </div>
      )}
    </>
  );
}
