import { type KeyboardEvent, useState } from 'react';

/** Whether Caps Lock is on, as far as the keys pressed in a field have told: spread `watch` over that field. */
export function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const read = (event: KeyboardEvent<HTMLInputElement>) => setOn(event.getModifierState('CapsLock'));
  return { isOn, watch: { onKeyDown: read, onKeyUp: read } };
}
