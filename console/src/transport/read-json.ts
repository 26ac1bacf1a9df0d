import { inTurns } from '../lib/in-turns.ts';
import { isRecord } from '../lib/is-record.ts';

/** About so many characters are parsed at once, which takes some milliseconds. */
const PART = 256 * 1024;
/** What PostgreSQL's json_agg puts between rows. A line break is never within a JSON string. */
const BETWEEN_ROWS = ', \n';
/** How an answer whose result is an array ends. */
const END = ']}';

/**
 * Parses the JSON text of an answer. A long list is parsed in parts, so that no task of the page takes long. It is cut
 * between rows; a text that cannot be cut there is parsed as a whole.
 * @throws SyntaxError
 */
export async function readJson(text: string): Promise<unknown> {
  if (text === '') return null;
  return (text.length > PART && (await readLongList(text))) || JSON.parse(text);
}

/** @returns undefined for a text that is no answer with a row on each line */
async function readLongList(text: string): Promise<unknown> {
  const firstEnd = text.indexOf(BETWEEN_ROWS);
  if (firstEnd < 0 || !text.endsWith(END)) return undefined;
  try {
    const answer: unknown = JSON.parse(text.slice(0, firstEnd) + END);
    if (!isRecord(answer) || !Array.isArray(answer.result)) return undefined;
    const { result } = answer;
    await inTurns(partsOf(text, firstEnd), (part) => {
      for (const row of JSON.parse(`[${part}]`)) result.push(row);
    });
    return answer;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The text between the first row and the end, cut between rows about every so many characters. */
function* partsOf(text: string, firstEnd: number): Generator<string> {
  const lastEnd = text.length - END.length;
  for (let end = firstEnd; end < lastEnd; ) {
    const start = end + 1;
    const next = text.indexOf(BETWEEN_ROWS, start + PART);
    end = next < 0 ? lastEnd : next;
    yield text.slice(start, end);
  }
}
