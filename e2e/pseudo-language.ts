import { readFileSync } from 'node:fs';
import { FAQ_IMPORT_COLUMNS } from '@apotheca/contract/faq-import';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { PERMISSION_MODULES } from '@apotheca/contract/permissions';
import { TENANT_IMPORT_COLUMNS } from '@apotheca/contract/tenant-import';
import { labelOfTable, TENANT_TABLES } from '@apotheca/contract/tenant-tables';
import { USER_IMPORT_COLUMNS } from '@apotheca/contract/user-import';
import type { Page } from '@playwright/test';

/** English letters as they look in the pseudo-language: still read as English, and in no English text. */
const LETTERS: Readonly<Record<string, string>> = {
  a: 'å',
  e: 'ë',
  i: 'ï',
  o: 'ö',
  u: 'û',
  A: 'Å',
  E: 'Ë',
  I: 'Ï',
  O: 'Ö',
  U: 'Û',
};
/** What a text is made longer by. */
const PADDING = 'lörëm ïpsûm dölör sït åmët ';
/** How much longer than English other languages are. */
const LONGER = 0.4;
/** What is no word: values, tags, references to other texts. */
const MARKS = /\{\{.*?\}\}|<[^>]*>|\$t\([^)]*\)/g;

/**
 * An English text of the console in a language that nobody speaks: with accents, in brackets, and 40 % longer.
 * @example pseudo('Save {{name}}') // '⟦Såvë {{name}} lö⟧'
 */
export function pseudo(text: string): string {
  const words = text.replace(MARKS, '').trim();
  if (!/\p{L}/u.test(words)) return text;
  const marks = text.match(MARKS) ?? [];
  const said = text.split(MARKS).map((part) => part.replace(/[aeiou]/gi, (letter) => LETTERS[letter] ?? letter));
  const length = Math.ceil(words.length * LONGER);
  const padding = PADDING.repeat(Math.ceil(length / PADDING.length))
    .slice(0, length)
    .trim();
  const longer = said.map((part, place) => part + (marks[place] ?? '')).join('');
  return `⟦${longer}${words.includes(' ') ? ' ' : ''}${padding}⟧`;
}

/** What may follow a text, or a part of it that is a text of its own. */
const PADDED = `[⟧${[...new Set(PADDING)].join('')}]*`;

/**
 * What has an English name, found by its name in the pseudo-language; values in it are as they are.
 * @param name whole, or an expression that gives the beginning of it
 */
export function pseudoName(name: string | RegExp): RegExp {
  const words =
    typeof name === 'string' ? name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : name.source.replace('^', '');
  const said = words.replaceAll(/[aeiou]/gi, (letter) => `[${letter}${LETTERS[letter]}]`);
  const parts = said.replaceAll(/[ :]/g, (mark) => `${PADDED}${mark}⟦?`);
  return new RegExp(`^⟦?${parts}${typeof name === 'string' ? `${PADDED}$` : ''}`);
}

type Texts = { [key: string]: string | Texts };

/** The English texts of the console, each with the last part of its key. */
function* textsOf(texts: Texts): Generator<[key: string, text: string]> {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') yield [key, value];
    else yield* textsOf(value);
  }
}

const ENGLISH = new Set(
  ['en', 'en-pages', 'en-factors', 'en-guide'].flatMap((name) => {
    const file = new URL(`../console/src/locales/${name}.json`, import.meta.url);
    return [...textsOf(JSON.parse(readFileSync(file, 'utf8')))].map(([key, text]) => `${key}\n${text}`);
  }),
);

/** A property with a text, as the build writes it. */
const PROPERTY = /([\w$]+|"[\w-]+"):`((?:[^`\\]|\\.)*)`/g;

/** A large group of texts, as the build writes it: an object with nothing to fill in. Libraries parse other things. */
const PARSED = /JSON\.parse\(`(\{"(?:[^`\\$]|\\.|\$(?!\{))*)`\)/g;

/** The text of what stands between the back quotes of a script. */
const unescaped = (written: string): string =>
  written.replaceAll(/\\(.)/g, (_escaped, letter: string) => (letter === 'n' ? '\n' : letter));

const inPseudo = (key: string, text: string): string => (ENGLISH.has(`${key}\n${text}`) ? pseudo(text) : text);

/** A script of the console with its texts in the pseudo-language. */
const translated = (script: string): string =>
  script
    .replace(PARSED, (_call, written: string) => {
      const texts = JSON.parse(unescaped(written), (key, value) =>
        typeof value === 'string' ? inPseudo(key, value) : value,
      );
      return `JSON.parse(${JSON.stringify(JSON.stringify(texts))})`;
    })
    .replace(PROPERTY, (property, key: string, written: string) => {
      const text = unescaped(written);
      const said = inPseudo(key.replaceAll('"', ''), text);
      return said === text ? property : `${key}:${JSON.stringify(said)}`;
    });

/**
 * Shows the console in the pseudo-language on a page, from its next load on. Only the browser of the test knows it: the
 * scripts are changed on their way, so nothing of it is built or sent to users.
 */
export async function showPseudoLanguage(page: Page): Promise<void> {
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers();
    await route.fulfill({ status: response.status(), headers, body: translated(await response.text()) });
  });
}

/** Collects the words of all that the server answers a page: they are data, and shown as they are. */
export function wordsOfData(page: Page): Set<string> {
  const words = new Set<string>();
  const note = (value: unknown): void => {
    if (typeof value === 'string') for (const word of wordsIn(value)) words.add(word);
    else if (typeof value === 'object' && value !== null) for (const entry of Object.entries(value)) noteEntry(entry);
  };
  const noteEntry = ([name, value]: [string, unknown]) => {
    note(value);
    // The audit trail names the fields that have changed.
    if (name === 'changes') note(Object.keys(value ?? {}));
  };
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.startsWith('application/json')) return;
    response.json().then(note, () => {});
  });
  return words;
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** Not the console's texts in any language: what Intl and PostgreSQL call something, names of formats, products and keys. */
const NO_TEXTS = new Set(
  wordsIn(
    'and or bytes UTC GMT CSV JSON SHA PNG Apotheca Español English mon tue wed thu fri sat sun Ctrl Alt Tab Esc',
  ),
);

/** What the contract says in whole sentences: a test of its own proves that these are translated. */
const MESSAGES = Object.keys(
  JSON.parse(readFileSync(new URL('../contract/src/messages/es.json', import.meta.url), 'utf8')),
).filter((text) => text.split(' ').length > 2);

/** What files and programs name so in every language: the headings of imports, permissions with their modules, tables with their groups. */
const NAMES: readonly string[] = [
  ...[...TENANT_IMPORT_COLUMNS, ...USER_IMPORT_COLUMNS, ...FAQ_IMPORT_COLUMNS].map(({ heading }) => heading),
  ...TENANT_TABLES.map(({ group }) => group),
  ...TENANT_TABLES.map(({ name }) => labelOfTable(name)),
  ...PERMISSION_MODULES,
  ...PERMISSION_CATALOGUE.map(({ name }) => name),
];

const AS_THEY_ARE = new Set([...MESSAGES, ...NAMES]);

/** An address, or the beginning of a digest. */
const NO_WORDS = /^(https?:\S+|[\da-f]{12})$/;

/** What a page shows in words that are neither in brackets nor data. */
export async function untranslatedTexts(page: Page, data: ReadonlySet<string>): Promise<string[]> {
  const shown = await page.evaluate(textsOutsideBrackets);
  const unknown = shown.filter((text) => !AS_THEY_ARE.has(text) && !NO_WORDS.test(text));
  return unknown.filter((text) => wordsIn(text).some((word) => !data.has(word) && !NO_TEXTS.has(word)));
}

/** Runs in the page. A text may be spread over several nodes, so the brackets are counted through all of them. */
function textsOutsideBrackets(): string[] {
  const found: string[] = [];
  let depth = 0;
  const outside = (text: string): string => {
    let rest = '';
    for (const letter of text) {
      if (letter === '⟦') depth += 1;
      else if (letter === '⟧') depth -= 1;
      else if (depth === 0) rest += letter;
    }
    return rest.trim();
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('script, style, noscript, textarea, .rich-text, [contenteditable]')) continue;
    found.push(outside(node.textContent ?? ''));
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      depth = 0;
      found.push(outside(element.getAttribute(name) ?? ''));
    }
  }
  return [...new Set(found)].filter((text) => text !== '');
}
