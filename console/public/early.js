// Before the program, and before the first paint. The keys are those of src/app/state/layout-storage.ts and src/session/session-storage.ts.
try {
  // A dark console never flashes white.
  const { darkMode, followsSystem } = JSON.parse(localStorage.getItem('layout') ?? '{}');
  const isDark = followsSystem === true ? matchMedia('(prefers-color-scheme: dark)').matches : darkMode === true;
  if (isDark) document.documentElement.dataset.bsTheme = 'dark';
} catch {
  // No storage, or nothing to read in it: light.
}
try {
  // Whoever has a session needs the protected pages' frame: it comes beside the program, and not after it. The build names its files here.
  const { frame } = document.currentScript.dataset;
  const files = frame && localStorage.getItem('jwtToken') && navigator.onLine ? frame.split(' ') : [];
  for (const href of files) {
    const kind = href.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), kind, { href, crossOrigin: '' }));
  }
} catch {
  // The program asks for them.
}
