import { type KeyboardEvent, useState } from 'react';

/** Whether Caps Lock is on, as reported by the last key pressed in a field: spread `watch` over that field. */
export function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const read = (event: KeyboardEvent<HTMLInputElement>) => setOn(event.getModifierState('CapsLock'));
  return { isOn, watch: { onKeyDown: read, onKeyUp: read } };
}
