import { useEffect, useState } from 'react';

/**
 * The last value that stayed the same for a number of milliseconds: a debounce, for queries about what is being typed.
 */
export function useSettled<Value>(value: Value, pause: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
