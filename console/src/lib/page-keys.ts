import { useEffect, useEffectEvent } from 'react';

/** The keys that count on the whole page. That of the palette goes with Ctrl, or Cmd on a Mac. */
export const PAGE_KEYS = { filter: '/', keyboard: '?', palette: 'k' } as const;

/** Whether Cmd takes the place of Ctrl, as the editor decides it: on what Apple makes. */
export const isMac = (): boolean => /^(mac|iphone|ipad)/i.test(navigator.platform);

const isTypingIn = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Dialogs have their own keys. */
const isDialogOpen = () =>
  document.body.classList.contains('modal-open') || document.querySelector('dialog[open]') !== null;

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>;

/** Whether a key of the page was pressed: a letter does not count in a field. */
export function isPageKey(event: Pressed, name: keyof typeof PAGE_KEYS): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (altKey || key.toLowerCase() !== PAGE_KEYS[name]) return false;
  if (name !== 'palette') return !ctrlKey && !metaKey && !isTypingIn(target);
  return !shiftKey && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

/** Calls back when a key of the page is pressed where no dialog is open. @param isOn false: the key does nothing */
export function usePageKey(name: keyof typeof PAGE_KEYS, onPress: () => void, isOn = true): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    if (!isOn) return;
    function handleKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || !isPageKey(event, name) || isDialogOpen()) return;
      event.preventDefault();
      press();
    }
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [name, isOn]);
}
