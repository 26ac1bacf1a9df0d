import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 200;

/**
 * The text as typed, passed on when typing pauses, as browsers refuse to change the address a hundred times in half a
 * minute. A value from elsewhere (the back button, 'Clear filter') replaces it.
 */
export function useDelayedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const { pathname } = window.location;
    const timer = setTimeout(() => {
      // A link was followed, whose page still waits for its code: the address is that page's already.
      if (window.location.pathname !== pathname) return;
      sent.current = text;
      onChange(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return [text, setText] as const;
}
