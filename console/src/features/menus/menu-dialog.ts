import type { Menu } from '@apotheca/contract/menus';

/** Which dialog of the menus page is open, and for which menu. */
export type MenuDialog =
  | { kind: 'none' }
  /** `parent` absent: to be chosen in the dialog. */
  | { kind: 'create'; parent?: Menu }
  | { kind: 'edit' | 'delete'; menu: Menu };
