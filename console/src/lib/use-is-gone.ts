import { useEffect, useRef } from 'react';

/** Whether the component was removed meanwhile: for what follows an answer that may come later. */
export function useIsGone(): () => boolean {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return () => gone.current;
}
