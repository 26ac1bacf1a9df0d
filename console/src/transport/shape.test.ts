import { ROUTES } from '@apotheca/contract/routes';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeTenant } from '../testing/tenants.ts';
import { shapeOf } from './shape.ts';

const row = z.object({ id: z.uuid(), size: z.number().max(5), note: z.string().nullable(), kind: z.enum(['a', 'b']) });
const fits = shapeOf(z.array(row));
const good = { id: 'seven', size: 9, note: null, kind: 'c' };

test('a value with the same fields and kinds fits, whatever its ids, limits and choices [§7.5]', () => {
  expect(fits([good, { ...good, more: true }])).toBe(true);
  expect(fits([])).toBe(true);
});

test.each<[string, unknown]>([
  ['null', null],
  ['an object in the place of a list', good],
  ['a row that is null', [good, null]],
  ['a field that is missing', [{ id: 'seven', size: 9, note: null }]],
  ['a field of another kind', [{ ...good, size: '9' }]],
  ['null where there must be something', [{ ...good, kind: null }]],
])('%s does not fit [§7.5]', (_what, value) => {
  expect(fits(value)).toBe(false);
});

test('every result of the contract is of a kind that the test supports [§7.5]', () => {
  const lists = ROUTES.filter(({ result }) => result instanceof z.ZodArray);
  expect(lists.length).toBeGreaterThan(10);
  for (const { result, path } of lists) expect([path, shapeOf(result)([null])]).toEqual([path, false]);
  expect(shapeOf(tenantRoutes.list.result)([makeTenant()])).toBe(true);
});
