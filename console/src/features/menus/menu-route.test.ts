import { expect, test } from 'vitest';
import { routeOfName, routeToSend } from './menu-route.ts';

const stored = { name: 'Stock', route: '/warehouse', parentPermissionId: null };
const parentPermissionId = '00000000-0000-4000-a000-000000000001';

test.each([
  ["FAQ's & more", '/faqs-more'],
  ['', ''],
  ['!!!', ''],
])('the name %o leads to the route %o [§4]', (name, route) => {
  expect(routeOfName(name)).toBe(route);
});

test('a stored route stays until the name changes, and returns with the name [§4]', () => {
  expect(routeOfName('Stock', stored)).toBe('/warehouse');
  expect(routeOfName('Stocks', stored)).toBe('/stocks');
  expect(routeOfName('Stock', { ...stored, route: '#' })).toBe('/stock');
});

test("without a parent the route sent is '#', with one it is the menu's own [§7.3]", () => {
  expect(routeToSend({ name: 'Stock' })).toBe('#');
  expect(routeToSend({ name: 'Stock', parentPermissionId: '' })).toBe('#');
  expect(routeToSend({ name: 'Stock', parentPermissionId })).toBe('/stock');
  expect(routeToSend({ name: 'Stock', parentPermissionId }, stored)).toBe('/warehouse');
  expect(routeToSend({ name: 'Stock', parentPermissionId }, { ...stored, route: '#' })).toBe('/stock');
});

test('a menu that was at the top with a route of its own keeps it [§7.3]', () => {
  expect(routeToSend({ name: 'Stock', parentPermissionId: '' }, stored)).toBe('/warehouse');
  expect(routeToSend({ name: 'Stocks', parentPermissionId: '' }, stored)).toBe('#');
  expect(routeToSend({ name: 'Stock' }, { ...stored, parentPermissionId })).toBe('#');
});
