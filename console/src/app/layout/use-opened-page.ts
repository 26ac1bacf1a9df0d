import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * The title of the page that a navigation has opened, for a screen reader, which reads it by itself only where a document is loaded:
 * empty for the first page.
 */
export function useOpenedPage(): string {
  const { pathname } = useLocation();
  const [opened, setOpened] = useState({ pathname, title: '' });
  // The page's own effects come before this one: the tab has its title.
  useEffect(() => {
    if (pathname !== opened.pathname) setOpened({ pathname, title: document.title });
  }, [pathname, opened]);
  return opened.title;
}
