import { StringDecoder } from 'node:string_decoder';

/** So much of a line, and of a message about a failure, is read, matched and stored, in characters. What a program says may come from an archive. */
export const LONGEST_MESSAGE = 2_048;

/** The beginning of a message of somebody else's making. */
export const cutMessage = (text: string): string => text.slice(0, LONGEST_MESSAGE);

/**
 * Splits what comes in chunks into lines. Of a longer one only the beginning is held, however much of it comes.
 * @returns takes the chunks
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
