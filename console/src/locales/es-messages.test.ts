import { ERRORS } from '@apotheca/contract/errors';
import { EVENT_KINDS } from '@apotheca/contract/events';
import { keyed, keyOf, messageKeys } from '@apotheca/contract/messages';
import es from '@apotheca/contract/messages/es.json';
import { ROUTES } from '@apotheca/contract/routes';
import { parseSync } from 'vite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { setLanguage } from '../app/language.ts';
import '../lib/message-moments.ts';
import { messageText } from './messages.ts';

const KEYS = messageKeys(Object.keys(es));

/** The sentences of a text that have no key. */
const unknownIn = (text: string) =>
  keyed(text, KEYS).flatMap(({ key }) => (Object.hasOwn(es, key) || !/\p{L}/u.test(key) ? [] : [key]));

/** All that may hold a message in a schema: itself, its rules, and the schemas inside it. */
interface Definition {
  type?: string;
  check?: string;
  error?: (issue: object) => unknown;
  checks?: { _zod: { def: Definition } }[];
  [part: string]: unknown;
}
const INSIDE = ['element', 'innerType', 'in', 'out', 'valueType', 'keyType', 'left', 'right', 'options', 'items'];

/** Every message that the rules of a schema have of their own. */
function messagesOf(schema: z.core.$ZodType, seen: Set<unknown>): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition;
  const rules = [definition, ...(definition.checks ?? []).map((check) => check._zod.def)];
  const inside = [...INSIDE.map((part) => definition[part]), Object.values((definition.shape as object) ?? {})].flat();
  return [
    ...rules.flatMap(({ error }) => {
      const said = error?.({ code: 'custom', path: [] });
      return typeof said === 'string' ? [said] : [];
    }),
    ...inside.flatMap((part) => (part instanceof Object && '_zod' in part ? messagesOf(part as z.ZodType, seen) : [])),
  ];
}

/** The server's and the contract's sources, without tests and without what no answer has: what is read in a terminal, mail or log. */
const SOURCES = import.meta.glob<string>(
  [
    '../../../contract/src/**/*.ts',
    '../../../api/src/{audit,batches,bulks,features,imports,operations,plugins,rich-text}/**/*.ts',
    '../../../api/src/db/{errors,client-programs}/*.ts',
    '../../../api/src/*.ts',
    '!**/*.test.ts',
    '!**/*.repository.ts',
    '!**/{testing,public,migrations,installation,store-settings}/**',
    '!**/{openapi,api-changes}*.ts',
    '!**/api/src/{admin,main,recover,verify-audit,config,settings,secrets,installation,backup-stores,oidc-providers}*.ts',
    '!**/{alert-text,event-text,trail-file,tls,health,audit-upkeep,credential-notices}.ts',
    '!**/*{figures,metrics}*.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);

type Node = { type: string; [part: string]: unknown };

/** A value in a message; all that is not known before stands for one. */
const VALUE = '7';

/** The texts that an expression can be, with values filled in. */
function textsOf(node: Node): string[] {
  switch (node.type) {
    case 'Literal':
      return [typeof node.value === 'string' ? node.value : VALUE];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap((part) => textsOf(part as Node));
    case 'LogicalExpression':
      return node.operator === '&&' ? ['', ...textsOf(node.right as Node)] : [VALUE];
    case 'TemplateLiteral': {
      const [first = '', ...others] = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      return (node.expressions as Node[]).reduce<string[]>(
        (texts, value, place) =>
          texts.flatMap((text) => textsOf(value).map((filled) => `${text}${filled}${others[place] ?? ''}`)),
        [first],
      );
    }
    default:
      return [VALUE];
  }
}

/** A sentence: it begins with a capital letter, a value or a quotation mark, and ends with a full stop. */
const SENTENCE = /^['7\p{Lu}].* .*[.!?]$/u;
/** Not for callers: the program's own failures, and what it writes to its log. */
const INTERNAL = /^(Error|TypeError|StartError|UsageError|RecoveryError|warn|error|info|write)$/;
/** Their values are whole sentences, each of which has its key. */
const COMPOSED = [
  '7 7.',
  '7; 7 failed: 7.',
  '7 is 7 The fix deletes it for good.',
  '7 The fix removes it.',
  '7 Left out: 7.',
  'Role 7 7: 7 added, 7 removed; 7 affected.',
  'Points in time can be chosen 7.',
  '7 deleted.',
  '7 has been moved up.',
  '7 has been moved down.',
  'Database 7 has been created as an anonymized copy of 7: 7',
  '7 has been refreshed from 7: 7',
  '7 deleted with 7.',
  '7 is the first one already.',
  '7 is the last one already.',
];

/** The messages in a source: sentences, values named `message` or `participle`, and the names of steps. */
function messagesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, parent?: Node, isStep = false): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent, isStep);
    if (Array.isArray(value)) return;
    if (!(value instanceof Object)) return;
    const node = value as Node;
    if (node.type === 'ImportDeclaration' || node.type === 'TaggedTemplateExpression') return;
    const callee = node.callee as { name?: string; property?: { name?: string } } | undefined;
    if (INTERNAL.test(callee?.name ?? callee?.property?.name ?? '')) return;
    const name = parent?.type === 'Property' ? (parent.key as { name?: string }).name : undefined;
    if ((node.type === 'Literal' && typeof node.value === 'string') || node.type === 'TemplateLiteral') {
      const isMessage = name === 'message' || name === 'participle' || (isStep && name === 'name');
      found.push(...textsOf(node).filter((text) => isMessage || (name !== 'example' && SENTENCE.test(text))));
      return;
    }
    const within = isStep || (node.type === 'Property' && (node.key as { name?: string }).name === 'steps');
    for (const [part, inner] of Object.entries(node))
      if (part !== 'type') visit(inner, node.type ? node : parent, within);
  };
  visit(parseSync(file, source, { lang: 'ts' }).program);
  return found.filter((text) => /\p{L}{2}/u.test(text));
}

/** The sentences of a source that have no key. A value may be a sentence too, or nothing. */
const missingIn = (file: string, source: string) =>
  messagesIn(file, source).flatMap((text) =>
    [text, text.replaceAll(/^7+ |7+$/g, '')].some((filled) => unknownIn(filled).length === 0)
      ? []
      : unknownIn(text).filter((sentence) => !COMPOSED.includes(sentence)),
  );

describe('every message has a key, with a text in Spanish', () => {
  it('of the fields of each call [§5]', () => {
    const seen = new Set<unknown>();
    const messages = ROUTES.flatMap(({ query, body }) =>
      [query, body].flatMap((schema) => (schema ? messagesOf(schema, seen) : [])),
    );
    expect(messages.length).toBeGreaterThan(500);
    expect([...new Set(messages.flatMap(unknownIn))]).toEqual([]);
  });

  it('of the rules that have none of their own [§5]', () => {
    const wrong = [
      [z.string(), 7],
      [z.enum(['a', 'b']), 'c'],
      [z.literal('a'), 'b'],
      [z.union([z.string(), z.boolean()]), 7],
      [z.string().max(2), 'abc'],
      [z.string().min(2), 'a'],
      [z.number().max(2), 3],
      [z.number().min(2), 1],
      [z.array(z.string()).max(1), ['a', 'b']],
      [z.uuid(), 'a'],
      [z.record(z.string(), z.number()), []],
      [z.custom(() => false), 1],
    ] as const;
    const messages = wrong.flatMap(([schema, value]) => schema.safeParse(value).error?.issues ?? []);
    expect(messages).toHaveLength(wrong.length);
    expect(messages.flatMap(({ message }) => unknownIn(message))).toEqual([]);
  });

  it('of each kind of failure, and its title [§8]', () => {
    const texts = Object.values(ERRORS).flatMap(({ title, message }) => [title, message]);
    expect(texts.flatMap(unknownIn)).toEqual([]);
  });

  it('of each call for which a fresh proof is asked, as the dialog names it [DECISIONS §13]', () => {
    const purposes = ROUTES.flatMap(({ fresh, summary }) => (fresh ? [summary] : []));
    expect(purposes.length).toBeGreaterThan(30);
    expect(purposes.flatMap(unknownIn)).toEqual([]);
  });

  it('of each event [DECISIONS §13]', () => {
    expect(EVENT_KINDS.flatMap(({ name }) => unknownIn(name))).toEqual([]);
  });

  it('that stands in the sources of the server [§8]', () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(300);
    const missing = Object.entries(SOURCES).map(([file, source]) => [file, missingIn(file, source)] as const);
    expect(missing.filter(([, texts]) => texts.length > 0)).toEqual([]);
  });

  it('and each text has the values of its key [§8]', () => {
    const marks = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    expect(Object.entries(es).filter(([key, text]) => String(marks(key)) !== String(marks(text)))).toEqual([]);
  });
});

describe('a message in Spanish', () => {
  beforeEach(() => setLanguage('es'));
  afterEach(() => setLanguage('en'));

  it.each([
    ['Username or password is incorrect.', 'El nombre de usuario o la contraseña no son correctos.'],
    ['City should not be more than 256 characters', 'El campo «Ciudad» no debe tener más de 256 caracteres'],
    ["There is no database 'ST. MARY'.", 'No existe la base de datos «ST. MARY».'],
    [
      "There are 12 menus inside 'Tenants'. Move or delete what is inside first.",
      'Hay 12 menús dentro de «Tenants». Mueva o elimine antes lo que hay dentro.',
    ],
    [
      'Emptying 3 tables of ST. MARY removes 12,345 rows; new rows are numbered from 1 again. 1 session is open. The rows can be put back for 7 days.',
      'Vaciar 3 tablas de ST. MARY elimina 12.345 filas; las filas nuevas se numeran de nuevo desde 1. Hay 1 sesión abierta. Las filas se pueden reponer durante 7 días.',
    ],
    ['The archive cannot be read: it ends too early.', 'El archivo no se puede leer: termina demasiado pronto.'],
    [
      '12 tenants deactivated, 3 as they were and 1 refused.',
      'Resultado: desactivación de 12 inquilinos; sin cambios: 3; rechazos: 1.',
    ],
    [
      "Deleting FAQ 'A' also deletes 2 sections and 5 questions.",
      'Eliminar la FAQ «A» elimina también 2 secciones y 5 preguntas.',
    ],
    ['Not even this server knows that.', 'Not even this server knows that.'],
    ['', ''],
    ['It can be put back until 2026-11-27 23:20 UTC.', 'Se puede reponer hasta el 2026-11-27 23:20 UTC.'],
  ])('of %j is %j [§8]', (text, spanish) => {
    expect(messageText(text)).toBe(spanish);
  });

  it('has its moments in the zone of the browser, as in English [§2.20]', async () => {
    vi.stubEnv('TZ', 'America/Mexico_City');
    const text = 'It can be put back until 2026-11-28 03:20:05 UTC.';
    expect(messageText(text)).toBe('Se puede reponer hasta el 2026-11-27 21:20 UTC-06:00.');
    await setLanguage('en');
    expect(messageText(text)).toBe('It can be put back until 2026-11-27 21:20 UTC-06:00.');
    vi.unstubAllEnvs();
  });

  it('is English again with the language [§8]', async () => {
    await setLanguage('en');
    expect(messageText('Please sign in.')).toBe('Please sign in.');
  });
});

describe('a key', () => {
  it('is that of the most words, with its values [§8]', () => {
    expect(keyOf('Tenant CODE is required', KEYS)).toEqual({
      key: '{words} is required',
      parameters: { words: 'Tenant CODE' },
    });
    expect(keyed('ACME has been restored. Something new.', KEYS)).toEqual([
      { key: '{name} has been restored.', parameters: { name: 'ACME' } },
      { key: 'Something new.', parameters: {} },
    ]);
  });

  it('is found of a long text without its values in no time that grows with their square [§8]', () => {
    const long = `Deleting ${'also deletes '.repeat(20_000)}`;
    expect(keyed(long, KEYS)).toEqual([{ key: long, parameters: {} }]);
  });
});
