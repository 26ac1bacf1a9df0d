import { ROW_KEYS } from '../../components/data-table/use-row-keys.ts';
import { PAGE_KEYS } from '../../lib/page-keys.ts';

/** The keys of the palette's field. */
export const PALETTE_KEYS = {
  next: ['ArrowDown'],
  previous: ['ArrowUp'],
  first: ['Home'],
  last: ['End'],
  choose: ['Enter'],
  back: ['Backspace'],
  close: ['Escape'],
} as const;

type Texts = typeof import('../../locales/en-pages.json')['keyboard'];

interface Shortcut {
  what: keyof Texts['what'];
  /** Any of these does it; `Mod` is Ctrl, or Cmd on a Mac. */
  keys: readonly string[];
}

/** What the sheet of keys shows. Keys that stand in one list with what they do are taken from there. */
export const SHORTCUTS: readonly { where: keyof Texts['where']; keys: readonly Shortcut[] }[] = [
  {
    where: 'everywhere',
    keys: [
      { what: 'openPalette', keys: [`Mod+${PAGE_KEYS.palette.toUpperCase()}`] },
      { what: 'openKeyboard', keys: [PAGE_KEYS.keyboard] },
      { what: 'skip', keys: ['Tab', 'Shift+Tab'] },
    ],
  },
  {
    where: 'palette',
    keys: [
      { what: 'paletteMove', keys: [...PALETTE_KEYS.next, ...PALETTE_KEYS.previous] },
      { what: 'paletteEnds', keys: [...PALETTE_KEYS.first, ...PALETTE_KEYS.last] },
      { what: 'paletteChoose', keys: PALETTE_KEYS.choose },
      { what: 'paletteBack', keys: PALETTE_KEYS.back },
      { what: 'paletteClose', keys: PALETTE_KEYS.close },
    ],
  },
  {
    where: 'lists',
    keys: [
      { what: 'filter', keys: [PAGE_KEYS.filter] },
      { what: 'rowNext', keys: ROW_KEYS.next },
      { what: 'rowPrevious', keys: ROW_KEYS.previous },
      { what: 'rowEnds', keys: [...ROW_KEYS.first, ...ROW_KEYS.last] },
      { what: 'rowSides', keys: [...ROW_KEYS.right, ...ROW_KEYS.left] },
      { what: 'rowOpen', keys: ['Enter'] },
      { what: 'rowTick', keys: ROW_KEYS.tick },
      { what: 'rowTickMore', keys: ['Shift+ '] },
      { what: 'clearSelection', keys: ['Escape'] },
    ],
  },
  {
    where: 'menus',
    keys: [
      { what: 'menuMove', keys: ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'] },
      { what: 'menuEnds', keys: ['Home', 'End'] },
      { what: 'menuClose', keys: ['Escape'] },
    ],
  },
  {
    where: 'dialogs',
    keys: [
      { what: 'dialogSubmit', keys: ['Enter'] },
      { what: 'dialogClose', keys: ['Escape'] },
    ],
  },
  {
    where: 'editor',
    keys: [
      { what: 'editorLink', keys: ['Mod+K'] },
      { what: 'editorPicture', keys: ['Mod+Alt+P'] },
      { what: 'editorTable', keys: ['Mod+Alt+T'] },
      { what: 'editorList', keys: ['Mod+]', 'Mod+['] },
      { what: 'editorUndo', keys: ['Mod+Z'] },
    ],
  },
];
