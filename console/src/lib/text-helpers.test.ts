import { camelCase } from '@apotheca/contract/camel-case';
import { afterEach, expect, test } from 'vitest';
import { toggleBodyClass } from './body-class.ts';
import { removeFirstWhitespace } from './first-whitespace.ts';
import { toQueryString } from './query-string.ts';
import { slug } from './slug.ts';

afterEach(() => document.body.removeAttribute('class'));

test.each([
  [{}, ''],
  [{ a: '', b: null, c: undefined }, ''],
  [{ a: 0, b: false, c: 'x' }, 'a=0&b=false&c=x'],
  [{ databaseName: 'A&B=C #1', 'odd name': 'ü/+' }, 'databaseName=A%26B%3DC%20%231&odd%20name=%C3%BC%2F%2B'],
  [{ tables: ['shots', '', 'users'], id: ' ' }, 'tables=shots&tables=users&id=%20'],
])('toQueryString(%j) is %j [§9]', (params, expected) => {
  expect(toQueryString(params)).toBe(expected);
});

test.each([
  ['Menu Management', 'menu-management'],
  ["  FAQ's -- Management!  ", 'faqs-management'],
  ['Größe & Ärzte_2', 'große-arzte-2'],
  ['已 经', '已-经'],
  ['---', ''],
  ['', ''],
])('slug(%j) is %j [§9]', (text, expected) => {
  expect(slug(text)).toBe(expected);
});

test.each([
  ['Order status master', 'orderStatusMaster'],
  ['order-status_master', 'orderStatusMaster'],
  ['OrderStatusMaster', 'orderStatusMaster'],
  ['alreadyCamelCase', 'alreadyCamelCase'],
  ['NDC whitelist', 'ndcWhitelist'],
  ['parseHTTPReply 2x', 'parseHttpReply2X'],
  ['  ', ''],
])('camelCase(%j) is %j [§9]', (text, expected) => {
  expect(camelCase(text)).toBe(expected);
});

test.each([
  [' a  b', 'a  b'],
  ['a \t\n b c', 'ab c'],
  ['abc', 'abc'],
  ['', ''],
])('removeFirstWhitespace(%j) is %j [§9]', (text, expected) => {
  expect(removeFirstWhitespace(text)).toBe(expected);
});

test('toggleBodyClass marks an open modal and leaves other classes alone [§4, §9]', () => {
  document.body.className = 'mine';
  toggleBodyClass(true);
  toggleBodyClass(true);
  expect(document.body.className).toBe('mine modal-open');
  toggleBodyClass(false);
  expect(document.body.className).toBe('mine');
});
