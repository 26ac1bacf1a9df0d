import { describe, expect, it } from 'vitest';
import { screenSizeOf, sidebarClasses, sidebarView } from './screen-size.ts';

describe('screen size', () => {
  it.each([
    [1440, 'lg'],
    [1200, 'lg'],
    [1199, 'md'],
    [992, 'md'],
    [991, 'sm'],
    [768, 'sm'],
    [767, 'xs'],
    [0, 'xs'],
  ] as const)('%i px is %s [§9]', (width, size) => {
    expect(screenSizeOf(width)).toBe(size);
  });
});

describe('sidebar classes', () => {
  it.each([
    ['lg', true, ['sidebar-collapse'], 'rail'],
    ['md', true, [], 'full'],
    ['sm', true, ['sidebar-open'], 'drawer-open'],
    ['xs', true, ['sidebar-open'], 'drawer-open'],
    ['lg', false, [], 'full'],
    ['md', false, ['sidebar-closed', 'sidebar-collapse'], 'rail'],
    ['sm', false, ['sidebar-closed', 'sidebar-collapse'], 'drawer-closed'],
    ['xs', false, ['sidebar-closed', 'sidebar-collapse'], 'drawer-closed'],
  ] as const)('%s, collapsed %s: %j, seen as %s [§2.2]', (size, collapsed, classes, view) => {
    expect(sidebarClasses(size, collapsed)).toEqual(classes);
    expect(sidebarView(size, collapsed)).toBe(view);
  });
});
