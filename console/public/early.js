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
