/**
 * Tells of each link within the console to which the pointer, a finger or the focus comes: soon it may be followed.
 * @returns stops it
 */
export function watchLinks(onNear: (pathname: string) => void): () => void {
  function handle({ target }: Event) {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === window.location.origin) onNear(link.pathname);
  }
  const stop = new AbortController();
  for (const event of ['mouseover', 'touchstart', 'focusin'])
    document.addEventListener(event, handle, { passive: true, signal: stop.signal });
  return () => stop.abort();
}
