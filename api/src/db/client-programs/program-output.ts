import { StringDecoder } from 'node:string_decoder';

/** The longest line or message that is matched and stored, in characters: a hostile archive may decide what a program prints. */
export const LONGEST_MESSAGE = 2_048;

/** The beginning of a message that comes from outside. */
export const cutMessage = (text: string): string => text.slice(0, LONGEST_MESSAGE);

/**
 * Splits chunks into lines. Of a longer line only the beginning is kept in memory.
 * @returns a function that takes the chunks
 */
export function lineCutter(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let line = '';
  return (chunk) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    line = cutMessage(line + first);
    for (const next of others) {
      onLine(line);
      line = cutMessage(next);
    }
  };
}
