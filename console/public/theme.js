// Before the first paint, so that a dark console never flashes white. The key is that of src/app/state/layout-storage.ts.
try {
  if (JSON.parse(localStorage.getItem('layout') ?? '{}').darkMode === true)
    document.documentElement.dataset.bsTheme = 'dark';
} catch {
  // No storage, or nothing to read in it: light.
}
