import { useEffect } from 'react';

/**
 * Puts classes (separated by spaces) on the page root while the component is mounted. The classes of the layout
 * settings stay untouched.
 */
export function useRootClass(classes: string): void {
  useEffect(() => {
    const root = document.getElementById('root');
    const names = classes.split(' ');
    root?.classList.add(...names);
    return () => root?.classList.remove(...names);
  }, [classes]);
}
