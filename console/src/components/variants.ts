/** The colour variants of the widgets (SPEC §9). */
export type Variant = 'primary' | 'secondary' | 'success' | 'danger' | 'warning' | 'info' | 'light' | 'dark';

/** The sizes of the widgets (SPEC §9). */
export type Size = 'large' | 'default' | 'small';

const SIZE_SUFFIX = { large: 'lg', default: undefined, small: 'sm' } as const;

/** The class for a widget's size: `btn-lg`, `form-select-sm`; none for the default size. */
export function sizeClass(base: string, size: Size): string | undefined {
  const suffix = SIZE_SUFFIX[size];
  return suffix && `${base}-${suffix}`;
}
