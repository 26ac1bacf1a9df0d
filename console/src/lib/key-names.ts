import type { TFunction } from 'i18next';
import { isMac } from './page-keys.ts';

/** Keys with the same name or sign on the keyboards of all languages. */
const SAME_IN_ALL: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
};

const NAMED = {
  Backspace: 'backspace',
  End: 'end',
  Enter: 'enter',
  Home: 'home',
  Shift: 'shift',
  ' ': 'space',
} as const;

const isNamed = (key: string): key is keyof typeof NAMED => key in NAMED;

/**
 * The keys that are pressed together, as they are written on a keyboard.
 * @param keys with `+` between them, each as `KeyboardEvent.key` names it; `Mod` is Ctrl, or Cmd on a Mac
 * @example keyNames('Mod+Shift+Z', t) // ['Ctrl', 'Shift', 'Z']
 */
export const keyNames = (keys: string, t: TFunction): string[] =>
  keys.split('+').map((key) => {
    if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl';
    return isNamed(key) ? t(`keyboard.keys.${NAMED[key]}`) : (SAME_IN_ALL[key] ?? key);
  });
