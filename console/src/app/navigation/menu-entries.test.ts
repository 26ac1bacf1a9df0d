import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Circle } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { entryPath, isActive, MENU_ENTRIES, type MenuEntry } from './menu-entries.ts';
import { PATHS } from './paths.ts';

const REQUIREMENTS = readFileSync(join(import.meta.dirname, '../../../../docs/requirements.md'), 'utf8');

const activeAt = (pathname: string) =>
  MENU_ENTRIES.filter((entry) => isActive(entry, pathname)).map((entry) => entry.label);

describe('menu entries', () => {
  it('stand in the order of the requirements, each leading to the address of its name [§2.2]', () => {
    const [, order = ''] = /in this order: (.*)\./.exec(REQUIREMENTS) ?? [];
    const wanted = [...order.matchAll(/`menusidebar\.label\.(\w+)`/g)].map(([, label]) => label as keyof typeof PATHS);
    expect(wanted.length).toBeGreaterThan(7);
    expect(MENU_ENTRIES.map((entry) => [entry.label, entryPath(entry)])).toEqual(
      wanted.map((label) => [label, PATHS[label]]),
    );
  });

  it.each([
    ['/', ['dashboard']],
    ['/tenants', ['tenants']],
    ['/tenants/7', ['tenants']],
    ['/tenants-of-mine', []],
    ['/faqs', ['faqs']],
    ['/faq/Sign%20in/1', ['faqs']],
    ['/section/Sign%20in/Reset/2', ['faqs']],
    ['/profile', []],
  ] as const)('at %s mark %j active [§2.2]', (pathname, labels) => {
    expect(activeAt(pathname)).toEqual(labels);
  });

  it('mark a parent active for the path of a child [§2.2]', () => {
    const parent: MenuEntry = {
      label: 'mainMenu',
      icon: Circle,
      children: [{ label: 'subMenu', icon: Circle, path: '/sub-menu-1' }],
    };
    expect(isActive(parent, '/sub-menu-1')).toBe(true);
    expect(isActive(parent, '/sub-menu-2')).toBe(false);
  });

  it('lead to / when they have no path [§2.2]', () => {
    expect(entryPath({ label: 'mainMenu', icon: Circle })).toBe('/');
  });
});
