import { useEffect, useEffectEvent } from 'react';
import { notify } from './toast.tsx';

/** Where the code of what was opened does not come, a toast says so, and it counts as closed: the page stays as it is. */
export function useNotLoaded(isError: boolean, text: string, onClose: () => void): void {
  const giveUp = useEffectEvent(() => {
    notify.error(text);
    onClose();
  });
  useEffect(() => {
    if (isError) giveUp();
  }, [isError]);
}
