/**
 * A message of the server or of a field, as its key and the values that stand in it. The key is the English text with names
 * in place of the values: "There is no database '{name}'.". A name that begins with `words` or `list` stands for words that
 * are messages themselves, `n` for a number; anything else is shown as it is.
 */
export interface KeyedMessage {
  key: string;
  parameters: Record<string, string>;
}

/** A key as it is looked for in a text: the words around its values. */
interface Template {
  key: string;
  words: string[];
  names: string[];
}

/** What finds the keys of messages. */
export interface MessageKeys {
  /** Keys without values. */
  plain: ReadonlySet<string>;
  /** The others, the ones with most words first: they say most exactly what a text is. */
  templates: readonly Template[];
}

/** How many sentences of a message are tried together; a name with a full stop in it looks like two. */
const SENTENCES_MAX = 4;
const NAME = /\{(\w+)\}/;
/** Between two sentences. */
const SENTENCE_END = /(?<=[.!?]) (?=[^a-z])/;

/** Makes keys ready to be found. */
export function messageKeys(keys: readonly string[]): MessageKeys {
  const templates = keys
    .filter((key) => NAME.test(key))
    .map((key) => {
      const parts = key.split(NAME);
      return {
        key,
        words: parts.filter((_part, place) => place % 2 === 0),
        names: parts.filter((_part, place) => place % 2 === 1),
      };
    })
    .toSorted((one, other) => other.words.join('').length - one.words.join('').length);
  return { plain: new Set(keys), templates };
}

/**
 * The sentences of a message, each with its key. The key is found from the text, where it is answered or shown: messages are
 * composed in many places and stored with operations and batches, and none of these need know of keys. A sentence without a
 * key is its own.
 */
export function keyed(text: string, keys: MessageKeys): KeyedMessage[] {
  const sentences = text.split(SENTENCE_END);
  const found: KeyedMessage[] = [];
  for (let first = 0; first < sentences.length; ) {
    const { message, length } = firstOf(sentences, first, keys);
    found.push(message);
    first += length;
  }
  return found;
}

/** The shortest run of sentences that has a key; the first sentence as it is where none has. */
function firstOf(sentences: string[], first: number, keys: MessageKeys): { message: KeyedMessage; length: number } {
  for (let length = 1; length <= Math.min(SENTENCES_MAX, sentences.length - first); length += 1) {
    const message = keyOf(sentences.slice(first, first + length).join(' '), keys);
    if (message) return { message, length };
  }
  return { message: { key: sentences[first] ?? '', parameters: {} }, length: 1 };
}

/** The key of one sentence, or of a few words; undefined if it has none. */
export function keyOf(text: string, { plain, templates }: MessageKeys): KeyedMessage | undefined {
  if (plain.has(text)) return { key: text, parameters: {} };
  for (const { key, words, names } of templates) {
    const values = valuesIn(text, words, names);
    if (values) return { key, parameters: Object.fromEntries(names.map((name, place) => [name, values[place] ?? ''])) };
  }
  return undefined;
}

/** The values between the words of a template, each as short as it can be; undefined where the words are not those of the text. */
function valuesIn(text: string, words: readonly string[], names: readonly string[]): string[] | undefined {
  const [begin = '', ...rest] = words;
  const end = rest.pop() ?? '';
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const limit = text.length - end.length;
  const values: string[] = [];
  let from = begin.length;
  for (const word of rest) {
    const to = text.indexOf(word, from);
    if (to === -1 || to + word.length > limit) return undefined;
    values.push(text.slice(from, to));
    from = to + word.length;
  }
  values.push(text.slice(from, Math.max(from, limit)));
  const fits = values.every((value, place) => value !== '' && (!isNumber(names[place] ?? '') || NUMBER.test(value)));
  return fits && from < limit ? values : undefined;
}

/** As messages write numbers: '1,234'. */
const NUMBER = /^-?[\d,]*\.?\d+$/;
const isNumber = (name: string) => /^n\d*$/.test(name);
