import { useEffect, useState } from 'react';

/**
 * How many of many items are drawn: some at once, and some more with each frame, so that the page answers every key meanwhile and the
 * browser's search, printing and screen readers have them all in the end.
 * @param count of all
 * @param atOnce what fills a screen, and is drawn within a frame
 * @param more drawn with each frame after that one
 * @param first drawn at once in the beginning
 * @returns the number, and `drawAll` for what needs one at once
 */
export function useInTurns(count: number, atOnce: number, more = atOnce, first = atOnce) {
  const [drawn, setDrawn] = useState(first);
  // What a shorter list has not shown is drawn in turns again.
  const most = Math.max(count, atOnce);
  if (drawn > most) setDrawn(most);
  useEffect(() => {
    if (drawn >= count) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + more));
    return () => cancelAnimationFrame(frame);
  }, [drawn, count, more]);
  return { drawn: Math.min(drawn, count), drawAll: () => setDrawn(count) };
}
