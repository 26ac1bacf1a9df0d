import { useEffect } from 'react';

/**
 * Puts classes (separated by spaces) on the page root while the caller is shown and takes just these away afterwards:
 * what the layout settings put there stays.
 */
export function useRootClass(classes: string): void {
  useEffect(() => {
    const root = document.getElementById('root');
    const names = classes.split(' ');
    root?.classList.add(...names);
    return () => root?.classList.remove(...names);
  }, [classes]);
}
