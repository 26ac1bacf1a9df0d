/** One choice of the control sidebar: its classes, and the key of its text below `layout`. */
export interface Variant<Key extends string = string> {
  value: string;
  key: Key;
}

const NAVBAR_LIGHT_COLOURS = ['warning', 'white', 'orange'] as const;
const NAVBAR_DARK_COLOURS = [
  'primary',
  'secondary',
  'info',
  'success',
  'danger',
  'indigo',
  'purple',
  'pink',
  'navy',
  'lightblue',
  'teal',
  'cyan',
  'gray-dark',
  'gray',
] as const;
const SKIN_COLOURS = [
  'primary',
  'warning',
  'info',
  'danger',
  'success',
  'indigo',
  'lightblue',
  'navy',
  'purple',
  'fuchsia',
  'pink',
  'maroon',
  'orange',
  'lime',
  'teal',
  'olive',
] as const;

type NavbarKey = 'light' | 'dark' | (typeof NAVBAR_LIGHT_COLOURS)[number] | (typeof NAVBAR_DARK_COLOURS)[number];
type SkinKey = (typeof SKIN_COLOURS)[number];

const navbar = (base: 'light' | 'dark', colours: readonly NavbarKey[]): Variant<NavbarKey>[] => [
  { value: `navbar-${base}`, key: base },
  ...colours.map((key) => ({ value: `navbar-${key} navbar-${base}`, key })),
];

const skins = (base: 'light' | 'dark'): Variant<SkinKey>[] =>
  SKIN_COLOURS.map((key) => ({ value: `sidebar-${base}-${key}`, key }));

/** The variants of SPEC §9 in the spec's order; the first of a list is its default. */
export const NAVBAR_VARIANTS = {
  light: navbar('light', NAVBAR_LIGHT_COLOURS),
  dark: navbar('dark', NAVBAR_DARK_COLOURS),
};
export const SIDEBAR_SKINS = { light: skins('light'), dark: skins('dark') };

const modeOf = (darkMode: boolean): 'light' | 'dark' => (darkMode ? 'dark' : 'light');

/** `value`, or the mode's first navbar variant when there is none (SPEC §4). */
export const navbarVariantOr = (value: string, darkMode: boolean): string =>
  value || (NAVBAR_VARIANTS[modeOf(darkMode)][0]?.value ?? '');

/** `value`, or the mode's first sidebar skin when there is none (SPEC §4). */
export const sidebarSkinOr = (value: string, darkMode: boolean): string =>
  value || (SIDEBAR_SKINS[modeOf(darkMode)][0]?.value ?? '');
