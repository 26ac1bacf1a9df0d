import { afterEach, beforeAll, expect, test } from 'vitest';
import '../locales/es.ts';
import { i18n } from '../locales/i18n.ts';
import '../locales/pages.ts';
import { keyNames } from './key-names.ts';

beforeAll(() => i18n.changeLanguage('en'));
afterEach(() => i18n.changeLanguage('en'));

test.each([
  ['en', 'Mod+Shift+Z', ['Ctrl', 'Shift', 'Z']],
  ['es', 'Mod+Shift+Z', ['Ctrl', 'Mayús', 'Z']],
  ['es', 'Shift+ ', ['Mayús', 'Espacio']],
  ['es', 'ArrowDown', ['↓']],
])('keys are named as on a keyboard of the language: in %s %s is %j [§2.28]', async (language, keys, names) => {
  await i18n.changeLanguage(language);
  expect(keyNames(keys, i18n.t)).toEqual(names);
});
