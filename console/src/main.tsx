import './lib/no-eval.ts';
import '@fontsource-variable/inter';
import './styles/index.scss';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { restoreLanguage } from './app/language.ts';
import { preloadPage } from './app/router.tsx';
import { startUp } from './app/start-up.ts';
import { loadLayout } from './app/state/layout-storage.ts';
import { makeStore } from './app/state/store.ts';
import { selectHasUser } from './session/session-slice.ts';
import { readStoredSession } from './session/session-storage.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const store = makeStore({ layout: loadLayout(window.innerWidth) });
// Called once, not at every render: StrictMode renders twice.
const started = startUp(store);
// The code of a protected page comes meanwhile.
const code = readStoredSession() && preloadPage(window.location.pathname);
/** For how long React leaves a fallback where it is once it was shown, in milliseconds. To wait as long instead costs nothing. */
const FALLBACK_STAYS = 300;
const starting = started.then(async () => {
  if (!selectHasUser(store.getState())) return;
  // What the page reads comes beside its code.
  const frame = await import('./app/signed-in.tsx').catch(() => undefined);
  frame?.beginCalls(store, window.location);
  await Promise.race([code, new Promise((resolve) => setTimeout(resolve, FALLBACK_STAYS))]);
});
// Once the page has started, errors have stacks of V8's own length again: public/early.js has set the limit to 0.
const keepStacks = () => {
  Error.stackTraceLimit = 10;
};
starting.then(keepStacks, keepStacks);

// Texts that do not come with the program come before the first screen, so that it is in one language from the start.
restoreLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App store={store} starting={starting} />
    </StrictMode>,
  ),
);
