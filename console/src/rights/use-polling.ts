import type { ContractRoute } from '@apotheca/contract/route';
import { useState } from 'react';
import { isForbidden } from '../transport/api-error.ts';
import { useRefusal } from './rights.tsx';

/**
 * Keeps a screen from asking again and again for what is refused: each refusal stays in the audit trail for good, and has a toast. It
 * goes on once a load by other means is let through, such as Retry or the focus of the window, or the missing permission is there.
 * @param call the query's
 * @returns `paced`, the query's polling interval while it is not refused, and `heed`, which takes the query's error in each draw
 */
export function usePolling(call: Pick<ContractRoute, 'permission'>) {
  const mayAsk = useRefusal()(call) === undefined;
  const [seen, setSeen] = useState<{ error: object | undefined; mayAsk: boolean; isHeld: boolean }>({
    error: undefined,
    mayAsk,
    isHeld: false,
  });
  return {
    paced: (interval: number): number => (seen.isHeld ? 0 : interval),
    heed: (error: object | undefined): void => {
      if (error === seen.error && mayAsk === seen.mayAsk) return;
      const isRestored = mayAsk && !seen.mayAsk;
      const isHeld = isForbidden(error) && (error !== seen.error || (seen.isHeld && !isRestored));
      setSeen({ error, mayAsk, isHeld });
    },
  };
}
