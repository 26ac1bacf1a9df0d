import { Circle } from 'lucide-react';
import { expect, test } from 'vitest';
import type { Entry, Group } from './entry.ts';
import { search, searchable } from './search.ts';

const entry = (group: Group, title: string, detail = ''): Entry => ({
  id: `${group}:${title}`,
  group,
  title,
  detail,
  icon: Circle,
  choose: () => ({ to: '/' }),
});

const SCREENS = [entry('screens', 'Tenants'), entry('screens', 'Users')];
const ACTIONS = [entry('actions', 'Create tenant'), entry('actions', 'Sign out')];
const BACK_UP: Entry = {
  ...entry('actions', 'Back up tenant …'),
  choose: () => ({ pick: 'tenants', action: 'editTenant' }),
};
const TENANTS = [
  ...Array.from({ length: 9 }, (_, index) => entry('tenants', `Maple Grove ${index}`, `MAPLE${index}`)),
  entry('tenants', 'Santé du Nord', 'NORD'),
  entry('tenants', 'Cedar Valley', 'CEDARVA'),
];
const groups = [
  searchable('screens', SCREENS),
  searchable('actions', ACTIONS),
  searchable('tenants', TENANTS),
  searchable('users', []),
];

function find(typed: string, options: { recent?: string[]; showsAll?: boolean } = {}) {
  const { recent = [], showsAll = false } = options;
  return search(groups, { typed, recent, most: 6, showsAll }).map(({ group, found, total }) => ({
    group,
    titles: found.map((one) => one.entry.title),
    total,
  }));
}

test('where nothing is typed, screens and actions are shown, and records once one is to be chosen [§2.28]', () => {
  expect(find(' ')).toEqual([
    { group: 'screens', titles: ['Tenants', 'Users'], total: 2 },
    { group: 'actions', titles: ['Create tenant', 'Sign out'], total: 2 },
  ]);
  expect(find('', { showsAll: true })[2]).toMatchObject({ group: 'tenants', total: 11 });
});

test.each([
  ['CEDARVA', 'Cedar Valley'],
  ['sante', 'Santé du Nord'],
  ['valley ced', 'Cedar Valley'],
  ['cedr vly', 'Cedar Valley'],
])("'%s' finds '%s' [§2.28]", (typed, title) => {
  expect(find(typed)[0]).toMatchObject({ group: 'tenants', titles: expect.arrayContaining([title]) });
});

test('finds nothing for what nothing is like [§2.28]', () => {
  expect(find('qqxz')).toEqual([]);
});

test('groups stand in the order of their best entry, and say how many more there are [§2.28]', () => {
  expect(find('create ten')[0]).toMatchObject({ group: 'actions' });
  expect(find('tenants')[0]).toMatchObject({ group: 'screens' });
  expect(find('maple')).toEqual([{ group: 'tenants', titles: expect.any(Array), total: 9 }]);
  expect(find('maple')[0]?.titles).toHaveLength(6);
});

test('what was chosen before stands first, the newest at the top, and is not shown twice [§2.28]', () => {
  const recent = ['tenants:Maple Grove 8', 'actions:Sign out', 'tenants:gone'];
  expect(find('', { recent }).map(({ group, titles }) => [group, titles])).toEqual([
    ['recent', ['Maple Grove 8', 'Sign out']],
    ['screens', ['Tenants', 'Users']],
    ['actions', ['Create tenant']],
  ]);
  const [first, second] = find('maple', { recent });
  expect(first).toEqual({ group: 'recent', titles: ['Maple Grove 8'], total: 1 });
  expect(second).toMatchObject({ group: 'tenants', total: 8 });
  expect(second?.titles).not.toContain('Maple Grove 8');
});

test('what was chosen before does not stand first where it is only a little like what is typed [§2.28]', () => {
  const [first] = find('cedarva', { recent: ['actions:Create tenant'] });
  expect(first).toMatchObject({ group: 'tenants' });
});

test.each(['back cedar', 'back up cedar', 'back up tenant cedar'])(
  "'%s' offers the deed with that record [§2.28]",
  (typed) => {
    const withDeed = [searchable('actions', [...ACTIONS, BACK_UP]), searchable('tenants', TENANTS)];
    const found = (recent: string[], text = typed) =>
      search(withDeed, { typed: text, recent, most: 6, showsAll: false }).map(({ group, found: entries }) => [
        group,
        entries.map((one) => `${one.entry.title} ${one.entry.detail}`),
      ]);
    const deed = 'Back up tenant … Cedar Valley CEDARVA';
    expect(found([])).toEqual([['actions', [deed]]]);
    expect(found(['actions:Back up tenant …+tenants:Cedar Valley'], '')[0]).toEqual(['recent', [deed]]);
  },
);
