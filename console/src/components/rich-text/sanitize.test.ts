import { withScrollingTables } from '@apotheca/contract/rich-text';
import { expect, test } from 'vitest';
import { sanitize } from './sanitize.ts';

test.each([
  ['javascript:alert(1)', 'about:blank'],
  ['java\nscript:alert(1)', 'about:blank'],
  ['data:text/html,x', 'about:blank'],
  ['vbscript:x', 'about:blank'],
  ['https://a.test/?b=javascript:1', 'https://a.test/?b=javascript:1'],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['/relative', '/relative'],
  ['page:1', 'about:blank'],
])('a stored link to %j is shown as one to %s [§5]', (href, expected) => {
  const shown = sanitize(`<p><a href="${href}">x</a></p>`);
  expect(shown).toBe(`<p><a href="${expected}" target="_blank" rel="noopener noreferrer">x</a></p>`);
  expect(sanitize(shown)).toBe(shown);
});

test('blocks from right to left keep their direction, and nothing else has one [DECISIONS §11]', () => {
  expect(
    sanitize('<p dir="RTL">a</p><p dir="ltr">b</p><p dir="auto"><a dir="rtl">c</a><strong dir="rtl">d</strong></p>'),
  ).toBe('<p dir="rtl">a</p><p>b</p><p><a target="_blank" rel="noopener noreferrer">c</a><strong>d</strong></p>');
});

test('everything that is not rich text is removed [DECISIONS §11]', () => {
  expect(
    sanitize('<p onclick="x()">a<img src=x onerror=x()><svg><script>x()</script></svg></p><style>p{}</style>'),
  ).toBe('<p>a</p>');
});

test('tables scroll by themselves, and what looks like one in an attribute stays as it is [DECISIONS §11]', () => {
  const [begin, end] = ['<div class="rich-text-table" role="group" aria-label="Table" tabindex="0">', '</div>'];
  const table = '<table><tbody><tr><td>a "b</td></tr></tbody></table>';
  // As browsers write attributes before Chrome 138, Firefox 140 and Safari 26.
  const picture = '<img src="/faqs/images/x" alt="</table><table><div class=modal>">';
  expect(withScrollingTables(`${table}<p>${picture}</p>${table}`)).toBe(
    `${begin}${table}${end}<p>${picture}</p>${begin}${table}${end}`,
  );
});

test('the name of a table stays within its attribute [DECISIONS §11]', () => {
  expect(withScrollingTables('<table></table>', '"><b>A & B')).toBe(
    '<div class="rich-text-table" role="group" aria-label="&quot;><b>A &amp; B" tabindex="0"><table></table></div>',
  );
});
