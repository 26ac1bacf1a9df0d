import { describe, expect, it } from 'vitest';

/** The files as they stand: i18next adds the texts that come later to the object of the first ones. */
const BUNDLES = import.meta.glob<string>('./*.json', { query: '?raw', import: 'default', eager: true });
const bundle = (name: string): object => JSON.parse(BUNDLES[`./${name}`] ?? '');
const FILES = ['.json', '-factors.json', '-guide.json', '-pages.json'].map(
  (end) => [bundle(`en${end}`), bundle(`es${end}`), end] as const,
);

/** What shows the texts. */
const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What is written in Spanish as in English: names, examples of what is typed, and a few words. */
const SAME_IN_BOTH = [
  '198.51.100.7',
  '2025.07.21',
  'Apotheca',
  'Chat',
  'Copyright © {{year}} Apotheca.',
  'FAQ',
  'Google',
  'ICU',
  'Microsoft',
  'NPI',
  'no',
  'No',
  'Portal',
  'Roles',
  'SHA-256',
  'SSO',
  'sslmode',
  'tenants',
  'tenants.edit',
  'TLS',
  'Total',
  'Webhooks',
];

/** All texts of a bundle by their keys. */
function textsOf(bundle: object, path = ''): Map<string, string> {
  const entries = Object.entries(bundle).flatMap(([key, value]: [string, unknown]): [string, string][] =>
    typeof value === 'object' && value !== null ? [...textsOf(value, `${path}${key}.`)] : [[path + key, String(value)]],
  );
  return new Map(entries);
}

const FORM = /_(zero|one|two|few|many|other)$/;

/** The keys that a language has for a text with a count: a form for each of its plurals, and for none where English has one. */
function keysIn(language: string, key: string): string[] {
  if (!key.endsWith('_other')) return FORM.test(key) && !key.endsWith('_zero') ? [] : [key];
  const stem = key.replace(FORM, '');
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((form) => `${stem}_${form}`);
}

/** The English text that one with a count stands for: there is none with `_many`. */
const originOf = (texts: Map<string, string>, key: string) => texts.get(key) ?? texts.get(key.replace(FORM, '_other'));

/** What is no word: the values that are filled in, tags and references to other texts. */
const marksOf = (text = '') => (text.match(/\{\{.*?\}\}|<[^>]*>|\$t\([^)]*\)/g) ?? []).toSorted();

/** Whether there is something to translate beside the marks. */
const hasWords = (text: string) => /\p{L}/u.test(marksOf(text).reduce((rest, mark) => rest.replace(mark, ''), text));

describe.each(FILES)('the Spanish of en$2', (english, spanish) => {
  const originals = textsOf(english);
  const texts = textsOf(spanish);

  it('has the keys of the English, with the plurals of Spanish [§1]', () => {
    const expected = [...originals.keys()].flatMap((key) => keysIn('es', key));
    expect([...texts.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it('fills in the same values, with the same tags and references [§1]', () => {
    const marks = [...texts].map(([key, text]) => [key, marksOf(text)]);
    expect(marks).toEqual([...texts.keys()].map((key) => [key, marksOf(originOf(originals, key))]));
  });

  it('leaves no text in English, and none out [§1]', () => {
    const same = [...texts].filter(([key, text]) => text === originOf(originals, key) && hasWords(text));
    expect(same.filter(([, text]) => !SAME_IN_BOTH.includes(text))).toEqual([]);
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

it('names no word as the same in both that is not [§1]', () => {
  const same = FILES.flatMap(([english, spanish]) => {
    const originals = textsOf(english);
    return [...textsOf(spanish)].filter(([key, text]) => text === originals.get(key)).map(([, text]) => text);
  });
  expect(SAME_IN_BOTH.filter((word) => !same.includes(word))).toEqual([]);
});

it('has no text that nothing shows [§1]', () => {
  const readers = [...Object.values(SOURCES), ...Object.values(BUNDLES)].join('\n');
  const named = new Set(Array.from(readers.matchAll(/(?:['"`]|\$t\()([\w.-]+)['"`)]/g), ([, key]) => key));
  // Of a key that is put together the beginning stands in a template.
  const begun = Array.from(readers.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g), ([, beginning = '']) => beginning);
  const keys = FILES.flatMap(([english]) => [...textsOf(english).keys()].map((key) => key.replace(FORM, '')));
  const isShown = (key: string) => named.has(key) || begun.some((beginning) => key.startsWith(beginning));
  expect(keys.filter((key) => !isShown(key))).toEqual([]);
});
