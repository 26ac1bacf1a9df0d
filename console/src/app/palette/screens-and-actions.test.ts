import type { View } from '@apotheca/contract/views';
import { expect, test } from 'vitest';
import { i18n } from '../../locales/i18n.ts';
import { viewEntries } from './screens-and-actions.ts';
import { search, searchable } from './search.ts';

const view = (id: string, name: string, query: string): View => ({
  id,
  list: 'tenants',
  name,
  query,
  roleId: null,
  isOwn: true,
});

test('views that show the same are entries of their own, as the keyboard finds the active one by its id [§2.28]', () => {
  const saved = [view('1', 'Mine', 'expires=30'), view('2', 'Ours', 'q=north'), view('3', 'Mine again', 'q=north')];
  const ids = viewEntries(i18n.t, 'tenants', saved).map(({ id }) => id);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
});

test('a view whose text has a blank is found again among what was chosen before [§2.28]', () => {
  const entries = viewEntries(i18n.t, 'tenants', [view('1', 'Saint Mary', 'q=st+mary')]);
  const recent = entries.filter(({ title }) => title === 'Saint Mary').map(({ id }) => id);
  const [first] = search([searchable('views', entries)], { typed: '', recent, most: 6, showsAll: false });
  expect(first).toMatchObject({ group: 'recent', found: [{ entry: { title: 'Saint Mary' } }] });
});
