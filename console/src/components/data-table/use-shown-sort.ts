import { useState } from 'react';
import type { Sort } from './data-table.tsx';

/** The sort of the rows that are shown: the old one until the rows of the new one are loaded. */
export function useShownSort<Asked extends Sort>(asked: Asked, isThere: boolean): Asked {
  const [shown, setShown] = useState(asked);
  if (isThere && (shown.column !== asked.column || shown.direction !== asked.direction)) setShown(asked);
  return shown;
}
