/**
 * Tells of each address within the console to which a link or the browser's history leads, at once: what React draws of it may wait
 * for code.
 * @returns stops it
 */
export function watchNavigation(onNavigation: (address: { pathname: string; search: string }) => void): () => void {
  function handleClick({ target, defaultPrevented }: Event) {
    const link = target instanceof Element ? target.closest('a') : null;
    // React Router prevents what it does itself; the others leave the page or open another one.
    if (defaultPrevented && link?.origin === window.location.origin) onNavigation(link);
  }
  const handleHistory = () => onNavigation(window.location);
  document.addEventListener('click', handleClick);
  window.addEventListener('popstate', handleHistory);
  return () => {
    document.removeEventListener('click', handleClick);
    window.removeEventListener('popstate', handleHistory);
  };
}
