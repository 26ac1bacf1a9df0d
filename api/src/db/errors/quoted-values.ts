import { printable } from '../../wording.ts';

/** Where PostgreSQL's own sentence begins in a line of a client program: before it stand names of tables. */
const SENTENCE = /(?<=\b(?:ERROR|FATAL): +)\S/;

/**
 * How sentences of SQLSTATE class 22 quote a value, and what stands there instead. A value may hold quotation marks, and a line may end
 * within it.
 */
const QUOTED: [RegExp, string][] = [
  [
    /^(value |time zone |invalid (?:value|symbol) |)".*"(?= (?:is out of range|is not a valid|not recognized|found while|for "))/s,
    '$1"…"',
  ],
  [/^(value |time zone |invalid (?:value|symbol) )"(?!…").*$/s, '$1"…"'],
  [/^"[^"]*$/, '"…"'],
  // At the end, after a colon, but of no setting; also in the quotation marks of other languages that PostgreSQL speaks.
  [/(?<! parameter "[\w.]+"): (?:["«»„“]|(?<=out of range: )).*$/s, ': "…"'],
  [/\b0x[0-9a-f]{2}(?: 0x[0-9a-f]{2})*/gi, '…'],
];

/** What PostgreSQL says of a value that it does not take, without that value, and without characters that nobody sees. Names stay. */
export function withoutValues(text: string): string {
  const start = Math.max(text.search(SENTENCE), 0);
  const sentence = QUOTED.reduce((said, [value, instead]) => said.replace(value, instead), text.slice(start));
  return printable(text.slice(0, start) + sentence);
}
