import type { Menu } from '@apotheca/contract/menus';

/** The open dialog of the menus page, and its menu. */
export type MenuDialog =
  | { kind: 'none' }
  /** `parent` absent: it is chosen in the dialog. */
  | { kind: 'create'; parent?: Menu }
  | { kind: 'edit' | 'delete'; menu: Menu };
