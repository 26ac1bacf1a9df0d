// Before the first paint, so that a dark console never flashes white. The key is that of src/app/state/layout-storage.ts.
try {
  const { darkMode, followsSystem } = JSON.parse(localStorage.getItem('layout') ?? '{}');
  const isDark = followsSystem === true ? matchMedia('(prefers-color-scheme: dark)').matches : darkMode === true;
  if (isDark) document.documentElement.dataset.bsTheme = 'dark';
} catch {
  // No storage, or nothing to read in it: light.
}
