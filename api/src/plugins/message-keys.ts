import { type KeyedMessage, keyed, messageKeys } from '@apotheca/contract/messages';
import translations from '@apotheca/contract/messages/es.json' with { type: 'json' };

/** Any translation has all keys: a test compares them with what the server says. */
const KEYS = messageKeys(Object.keys(translations));

/** What stands beside the message of an answer, so that it can be shown in another language; nothing where there is none. */
export const keysOfMessage = (message: string): { messageKeys?: KeyedMessage[] } =>
  message === '' ? {} : { messageKeys: keyed(message, KEYS) };

/** What stands beside the messages of fields. Each text is looked up once: a list of a megabyte may be wrong in every item. */
export function keysOfErrors(errors: Record<string, string[]>): Record<string, KeyedMessage[][]> {
  const found = new Map<string, KeyedMessage[]>();
  const keysOf = (message: string) => {
    const keys = found.get(message) ?? keyed(message, KEYS);
    found.set(message, keys);
    return keys;
  };
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, messages.map(keysOf)]));
}
