// Before the program, and before the first paint. The keys are those of src/app/state/layout-storage.ts and src/session/session-storage.ts.
try {
  // A dark console never flashes white.
  const { darkMode, followsSystem } = JSON.parse(localStorage.getItem('layout') ?? '{}');
  const isDark = followsSystem === true ? matchMedia('(prefers-color-scheme: dark)').matches : darkMode === true;
  if (isDark) document.documentElement.dataset.bsTheme = 'dark';
} catch {
  // No storage, or nothing to read in it: light.
}
// React DOM and RTK Query make some errors while they are loaded, to throw them later. V8 would read their files a second time for the lines in
// the stacks of these. The program sets the limit back.
Error.stackTraceLimit = 0;
try {
  // Whoever has a session needs the protected pages' frame and a page: both come beside the program, and not after it. The build names their
  // files here.
  const { frame, pages } = document.currentScript.dataset;
  const isWanted = frame && localStorage.getItem('jwtToken') && navigator.onLine;
  const files = isWanted ? [frame, JSON.parse(pages)[location.pathname]].join(' ').trim().split(' ') : [];
  for (const file of files) {
    const kind = file.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), kind, { href: `/${file}`, crossOrigin: '' }));
  }
} catch {
  // The program asks for them.
}

// While two versions run behind one balancer, the page may come from one of them and a file of the program be asked for at the other, which
// does not have it. What has come stays in the browser's cache, so each attempt is likelier to find all of it.
const ATTEMPTS = 5;
const PAUSE = 1000;
let isWhole = true;
let sheets = 1;
addEventListener(
  'error',
  ({ target }) => {
    // The first of each kind: those of a single page come later, and are asked for again by the program.
    if (target === document.querySelector('script[type="module"]')) isWhole = false;
    if (target === document.querySelector('link[rel="stylesheet"]') && sheets++ < ATTEMPTS)
      setTimeout(renewSheet, PAUSE, target);
  },
  true,
);
/** The program runs without its style sheet, and may be at what counts once, such as a sign-in by a provider: only the sheet is asked for again. */
function renewSheet(sheet) {
  const fresh = document.createElement('link');
  for (const { name, value } of sheet.attributes) fresh.setAttribute(name, value);
  sheet.replaceWith(fresh);
}
addEventListener('load', () => {
  try {
    const failed = isWhole ? 0 : Number(sessionStorage.getItem('failedLoads')) + 1;
    sessionStorage.setItem('failedLoads', String(failed % ATTEMPTS));
    if (failed > 0 && failed < ATTEMPTS) return void setTimeout(() => location.reload(), PAUSE);
  } catch {
    // No storage, which would end the attempts: none is made.
  }
  if (!isWhole) showMissing();
});

/** Says in place of the program that it did not come. The texts are those of `errors` in src/locales. */
function showMissing() {
  let lang = 'en';
  try {
    if (localStorage.getItem('language') === 'es') lang = 'es';
  } catch {
    // No storage: English.
  }
  const texts = {
    en: {
      h1: 'Unexpected Application Error!',
      p: 'A part of the console could not be loaded. It may have been updated, or the connection was lost.',
      button: 'Reload',
    },
    es: {
      h1: '¡Error inesperado de la aplicación!',
      p: 'No se pudo cargar una parte de la consola. Puede que se haya actualizado o que se haya perdido la conexión.',
      button: 'Volver a cargar',
    },
  };
  document.documentElement.lang = lang;
  const screen = Object.assign(document.createElement('main'), { className: 'error-screen' });
  for (const [name, text] of Object.entries(texts[lang]))
    screen.append(Object.assign(document.createElement(name), { textContent: text }));
  screen.lastChild.onclick = () => location.reload();
  document.getElementById('root').replaceWith(screen);
}
