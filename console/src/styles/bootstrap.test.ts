import { join } from 'node:path';
import { compile } from 'sass';
import { beforeAll, expect, test } from 'vitest';

let css: string;

beforeAll(() => {
  const { css: compiled } = compile(join(import.meta.dirname, 'index.scss'), {
    loadPaths: [join(import.meta.dirname, '../../../node_modules')],
    quietDeps: true,
    silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
    style: 'compressed',
  });
  css = compiled;
});

test('a dialog moves for 300 ms and fades, as its backdrop does, for 150 ms [§9]', () => {
  expect(css).toContain('.modal.fade .modal-dialog{transform:translate(0, -1.5rem);transition:transform .3s ease-out}');
  expect(css).toContain('.fade{transition:opacity .15s linear}');
});

test('motion stops where the user prefers reduced motion [§9]', () => {
  for (const part of ['.modal.fade .modal-dialog', '.fade', '.skeleton', '.data-table-progress', '.Toastify__toast']) {
    const reduced = css.split('@media(prefers-reduced-motion: reduce)').slice(1);
    expect(
      reduced.some((rule) => rule.slice(0, 400).includes(part)),
      part,
    ).toBe(true);
  }
});

test('the style sheet loads nothing that the content security policy forbids [§9]', () => {
  expect(css).not.toMatch(/url\(["']?(data:|https?:|\/\/)/);
});
