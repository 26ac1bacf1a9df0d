import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router';
import { ToastHost } from '../components/toast/toast.tsx';
import { FailedStart } from './pages/error-page.tsx';
import { AppRoutes } from './router.tsx';
import type { AppStore } from './state/store.ts';

interface AppProps {
  store: AppStore;
  /** The work of the start-up; until it is done the app shows 'Loading'. */
  starting: Promise<unknown>;
}

/** The console: 'Loading' until start-up is done, then the routes (SPEC §2.1). */
export function App({ store, starting }: AppProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    let shown = true;
    const show = (next: 'ready' | 'failed') => () => shown && setState(next);
    starting.then(show('ready'), show('failed'));
    return () => {
      shown = false;
    };
  }, [starting]);

  if (state === 'loading') return <p className="start-up">{t('main.loading')}</p>;
  if (state === 'failed') return <FailedStart />;
  return (
    <Provider store={store}>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
      <ToastHost />
    </Provider>
  );
}
