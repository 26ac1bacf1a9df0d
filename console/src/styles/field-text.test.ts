import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'sass';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');
/** The last part of a selector of fields that text is typed or chosen in. */
const FIELD = /\.(?:form-control|form-select(?:-\w+)?|ProseMirror)(?::[^ ]+)?$/;

/** The console's own sheets, each alone. */
const sheets = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.scss') && !/\b(?:index|bootstrap)\.scss$/.test(path),
);

test('on a phone the text of every field is large enough that it does not zoom in [§2.20]', () => {
  const rules = sheets.flatMap((path) => [...compile(join(SOURCE, path)).css.matchAll(/([^{}]+)\{([^{}]*)\}/g)]);
  const sizes = rules
    .filter(([, selectors = '']) => selectors.split(',').some((selector) => FIELD.test(selector.trim())))
    .flatMap(([, , body = '']) => [...body.matchAll(/font(?:-size)?: ([^;]+);/g)].map(([, size]) => size));
  expect(sizes.length).toBeGreaterThan(4);
  expect(sizes).toEqual(sizes.map(() => expect.stringMatching(/^max\([\d.]+rem, var\(--ap-field-text\)\)$/)));
  const phone = rules.filter(([, , body = '']) => body.includes('--ap-target: 2.75rem;'));
  expect(phone.map(([, , body]) => body)).toEqual([expect.stringContaining('--ap-field-text: 1rem;')]);
});
