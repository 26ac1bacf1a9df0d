import { type KeyedMessage, keyed, keyOf, type MessageKeys, messageKeys } from '@apotheca/contract/messages';
import { formatList, inLanguage } from './formats.ts';

const numbers = inLanguage((locale) => new Intl.NumberFormat(locale));

/**
 * Says messages with the texts of a language, English key to text. The keys are found from the text, as the server finds those
 * that it answers: many messages come in lists and reports, and those of fields do not come from the server.
 */
export function translationOf(texts: Record<string, string>): (text: string) => string {
  const keys = messageKeys(Object.keys(texts));
  return (text) =>
    keyed(text, keys)
      .map((message) => written(message, texts, keys) ?? message.key)
      .join(' ');
}

/** A message with its values; undefined where the language has no words for it. */
function written({ key, parameters }: KeyedMessage, texts: Record<string, string>, keys: MessageKeys) {
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text?.replace(/\{(\w+)\}/g, (_mark, name: string) => {
    const value = parameters[name] ?? '';
    if (name.startsWith('words')) return inWords(value, texts, keys);
    if (name.startsWith('list')) return listInWords(value, texts, keys);
    return /^n\d*$/.test(name) ? numbers().format(Number(value.replaceAll(',', ''))) : value;
  });
}

/** Words within a message: a message themselves, also without their full stop, or else as they are. */
function inWords(value: string, texts: Record<string, string>, keys: MessageKeys): string {
  const whole = keyOf(value, keys);
  if (whole) return written(whole, texts, keys) ?? value;
  const sentence = keyOf(`${value}.`, keys);
  return (sentence && written(sentence, texts, keys)?.replace(/\.$/, '')) ?? value;
}

/** 'a, b and c' */
const listInWords = (value: string, texts: Record<string, string>, keys: MessageKeys): string =>
  formatList(value.split(/, | and /).map((part) => inWords(part, texts, keys)));
