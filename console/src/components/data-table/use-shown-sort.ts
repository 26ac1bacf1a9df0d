import { useState } from 'react';
import type { Sort } from './data-table.tsx';

/** The sort of the rows that are shown: the old one until the rows of the new one are loaded. */
export function useShownSort<Requested extends Sort>(requested: Requested, isLoaded: boolean): Requested {
  const [shown, setShown] = useState(requested);
  if (isLoaded && (shown.column !== requested.column || shown.direction !== requested.direction)) setShown(requested);
  return shown;
}
